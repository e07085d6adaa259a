export {
  checkedYaml, readCheckedYaml, refuse, shortly, unwrapped, type CheckedYaml, type YamlRules,
} from './checked-yaml.ts';
