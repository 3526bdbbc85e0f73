import { fileURLToPath } from 'node:url';
import { distil } from './distil.mjs';
import { cacheFolder, outputFolder, recipe } from './recipe.mjs';
import { openTeacher, readTeacherFile, teacherHash } from './teacher.mjs';
import { writeModel } from './write-model.mjs';

const log = (line) => process.stderr.write(`${line}\n`);
const vocabulary = readTeacherFile('vocab.txt');
const pieces = vocabulary.toString('utf8').trimEnd().split('\n').length;
const teacher = openTeacher(fileURLToPath(new URL('teacher.cache', cacheFolder)), { log });

const { name, dim, seed, smoothing } = recipe;
const { table } = await distil(teacher, { pieces, dim, smoothing });
writeModel(new URL('static/', outputFolder()), {
  table,
  pieces,
  dim,
  vocabulary,
  description: {
    name,
    stage: 'distilled',
    seed,
    teacher: { model: 'gte-small', sha256: teacherHash },
    recipe,
  },
});
log('wrote packages/memory/data/static');
