// Has the tests that import this speak English: the words are read from their files, and a missing one fails.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { speakStrictly } from '../assets/js/words.js';
import { areasOf, messagesOf } from '../words.mjs';

export const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../words');

speakStrictly('en', messagesOf(FOLDER, 'en', areasOf(FOLDER)));
