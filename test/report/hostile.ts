/** Names that would leave their place if any step forgot to keep them there. */
export const hostileNames = [
  '</script><img src=x onerror="document.title=1">',
  '<!--<script>document.title=1</script>',
  'a\u2028b\u2029c',
  '"><svg onload=document.title=1>',
  "'; document.title = 1; '",
  '\u202egnp.exe',
  '\ud800 half a pair',
] as const;
