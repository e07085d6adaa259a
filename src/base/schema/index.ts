export { faultsOf, type Explain, type Fault } from './faults.ts';
export { fieldAt, fieldsOf, namesAt, type Path } from './fields.ts';
export { unwrapped } from './unwrapped.ts';
export { quantityOfField, schemaWithUnits, withoutUnits } from './with-units.ts';
