export {
  checkedYaml, glancedYaml, readCheckedYaml, readYaml, refuse, shortly, type CheckedYaml, type YamlRules,
} from './checked-yaml.ts';
export { unwrapped } from './unwrapped.ts';
export { quantityOfField, schemaWithUnits, withoutUnits } from './with-units.ts';
