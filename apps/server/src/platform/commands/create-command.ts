import { Command } from 'commander';

/** Creates a command that prints its help after an error, and throws a `CommanderError` instead of exiting. */
export const createCommand = (name: string): Command => new Command(name).exitOverride().showHelpAfterError();
