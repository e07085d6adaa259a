export {
  checkedYaml, glancedYaml, readCheckedYaml, readYaml, refuse, shortly, unwrapped, type CheckedYaml, type YamlRules,
} from './checked-yaml.ts';
