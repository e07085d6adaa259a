/**
 * Colours of the report, of the dashboard and of pictures that are saved, by the names of their custom properties.
 * Those of runs are from Okabe & Ito, which colour-blind readers can distinguish, ordered so that neighbours differ
 * most. On paper is what files have, too.
 */
export const lightColours = {
  paper: '#fdfcfa', raised: '#ffffff', ink: '#1d2228', soft: '#5d6670', faint: '#d9d7d1', wash: '#f1efea',
  'run-0': '#0072b2', 'run-1': '#d55e00', 'run-2': '#009e73', 'run-3': '#cc79a7', 'run-4': '#e69f00',
  'run-5': '#56b4e9', 'run-6': '#8c6d46', 'run-7': '#3d4650',
  'on-0': '#ffffff', 'on-1': '#ffffff', 'on-2': '#ffffff', 'on-3': '#1d2228', 'on-4': '#1d2228', 'on-5': '#1d2228',
  'on-6': '#ffffff', 'on-7': '#ffffff',
  many: '#0072b2', shared: '#7b858f', idle: '#eae7e0', wait: '#c4c7ca', axis: '#9a9fa4', 'ink-mix': '30%',
  warn: '#8a3b00', 'warn-wash': '#fff3e6', edge: '#1d222840',
} as const;

export type ColourName = keyof typeof lightColours;

export const darkColours: Readonly<Record<ColourName, string>> = {
  paper: '#14171b', raised: '#1a1e23', ink: '#e8e6e1', soft: '#a0a7af', faint: '#343a41', wash: '#1e2328',
  'run-0': '#4aa8e0', 'run-1': '#f0803c', 'run-2': '#2fc79b', 'run-3': '#e39cc4', 'run-4': '#f2b73c',
  'run-5': '#8fd0f5', 'run-6': '#c3a37a', 'run-7': '#c4ccd4',
  'on-0': '#14171b', 'on-1': '#14171b', 'on-2': '#14171b', 'on-3': '#14171b', 'on-4': '#14171b', 'on-5': '#14171b',
  'on-6': '#14171b', 'on-7': '#14171b',
  many: '#4aa8e0', shared: '#8b949d', idle: '#282d33', wait: '#4b5259', axis: '#6b7178', 'ink-mix': '25%',
  warn: '#ffc491', 'warn-wash': '#33241a', edge: '#000000b0',
};
