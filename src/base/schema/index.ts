export { faultsOf, type Explain, type Fault } from './faults.ts';
export { fieldAt, fieldsOf, unwrapped, type Path } from './fields.ts';
export { quantityOfField, schemaWithUnits, withoutUnits } from './with-units.ts';
