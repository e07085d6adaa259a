export {
  checkedYaml, glancedYaml, readCheckedYaml, readYaml, refuse, shortly, yamlText, type CheckedYaml, type YamlRules,
} from './checked-yaml.ts';
