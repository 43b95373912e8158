// What a check advises: text, and commands that a screen may do as well.

const SCREENS = {
  'event edit': 'prepare',
  'event publish': 'prepare',
  'event resume': 'steer',
  'event target': 'steer',
  'tau cancel': 'steer'
};

/** Splits an advice at its commands: [{text} or {command, screen}]; `screen` is the one that does the same. */
export const advised = (advice) =>
  advice.split('`').map((part, index) => {
    if (index % 2 === 0) return { text: part };
    const [, act] = /^fairgate (\w+ [\w-]+)/.exec(part) ?? [];
    return { command: part, screen: SCREENS[act] };
  });
