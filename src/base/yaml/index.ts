export {
  checkedYaml, glancedYaml, readCheckedYaml, readYaml, refuse, yamlText, type CheckedYaml,
} from './checked-yaml.ts';
