export { unwrapped } from './unwrapped.ts';
export { quantityOfField, schemaWithUnits, withoutUnits } from './with-units.ts';
