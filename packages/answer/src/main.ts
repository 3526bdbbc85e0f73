import { enableCompileCache } from '@tincan/wire/compile-cache';

// Only modules that Node compiles after this call are cached, so the program is a chunk of its own.
enableCompileCache();
void import('./program.ts').then(({ run }) => run());
