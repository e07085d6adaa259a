export {
  checkedYaml, glancedYaml, readCheckedYaml, readYaml, refuse, yamlText, type CheckedYaml, type YamlRules,
} from './checked-yaml.ts';
