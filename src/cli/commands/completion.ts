import { Argument, type Command } from 'commander';
import { printText } from '../text/output.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export function add(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText('after', `
Examples:
  orbweaver completion bash > orbweaver.bash
  orbweaver completion fish > orbweaver.fish

A shell reads it when it starts: add "source <(orbweaver completion bash)" to ~/.bashrc, the same with zsh to ~/.zshrc, and
write that of fish to ~/.config/fish/completions/orbweaver.fish.`)
    .action(async (shell: (typeof shells)[number]) => {
      const { completionScript } = await import('../help/completion.ts');
      printText(completionScript(shell, program));
    });
}
