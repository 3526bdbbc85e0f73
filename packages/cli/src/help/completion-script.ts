import type { Verb } from '../command/verb.ts';

/** The completion script for a shell; undefined for a shell there is none for. */
export function completionScript(shell: string, verbs: readonly Verb[]): string | undefined {
  if (shell === 'bash') return bash(verbs);
  if (shell === 'zsh') return zsh(verbs);
  if (shell === 'fish') return fish(verbs);
  return undefined;
}

function optionsOf({ options }: Verb): string[] {
  const spelt = Object.entries(options).flatMap(([name, { short }]) =>
    short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`],
  );
  return [...spelt, '--help'];
}

function choicesOf(verb: Verb): [string, readonly string[]][] {
  return Object.entries(verb.options).flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [[name, choices] as [string, readonly string[]]],
  );
}

function bash(verbs: readonly Verb[]): string {
  const values = verbs.flatMap((verb) =>
    choicesOf(verb).map(
      ([name, choices]) => `    ${verb.name}:--${name}) words='${choices.join(' ')}' ;;`,
    ),
  );
  const names = verbs.map(({ name }) => name).join(' ');
  return `# bash completion of tincan
_tincan_files() {
  # A folder called like a verb must not turn the verb into a path: only here are words names of files.
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
_tincan() {
  local IFS=$' \\t\\n' word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]} words='' i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$word"))
    return
  fi
  # Behind -- stands the command of a server: commands, then files.
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [ "\${COMP_WORDS[i]}" = -- ]; then
      if [ "$((i + 1))" -eq "$COMP_CWORD" ]; then COMPREPLY=($(compgen -c -- "$word")); fi
      [ "\${#COMPREPLY[@]}" -gt 0 ] || _tincan_files "$word"
      return
    fi
  done
  case "$verb:$before" in
${values.join('\n')}
  esac
  if [ -z "$words" ] && [ "\${word:0:1}" = - ]; then
    case "$verb" in
${verbs.map((verb) => `      ${verb.name}) words='${optionsOf(verb).join(' ')}' ;;`).join('\n')}
    esac
  elif [ -z "$words" ] && [ "$COMP_CWORD" -eq 2 ]; then
    case "$verb" in
${verbs
  .filter(({ words = [] }) => words.length > 0)
  .map(({ name, words = [] }) => `      ${name}) words='${words.join(' ')}' ;;`)
  .join('\n')}
      help) words='${names}' ;;
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else _tincan_files "$word"; fi
}
complete -F _tincan tincan`;
}

function zsh(verbs: readonly Verb[]): string {
  const sections = verbs.map((verb) => {
    const options = Object.entries(verb.options).map(([name, option]) => {
      const { type, choices, description } = option;
      const value =
        type === 'flag' ? '' : `:${name}:${choices ? `(${choices.join(' ')})` : '_files'}`;
      const star = type === 'list' ? '*' : '';
      return `        '${star}--${name}[${quoteZsh(description)}]${value}'`;
    });
    const words = verb.name === 'help' ? verbs.map(({ name }) => name) : (verb.words ?? []);
    const first =
      words.length > 0
        ? [`        '1:${verb.name}:(${words.join(' ')})'`]
        : ["        '*:file:_files'"];
    return `    ${verb.name})\n      _arguments \\\n${[...options, ...first].join(' \\\n')}\n      ;;`;
  });
  return `#compdef tincan
_tincan() {
  if (( CURRENT == 2 )); then
    local -a verbs=(
${verbs.map(({ name, summary }) => `      '${name}:${quoteZsh(summary)}'`).join('\n')}
    )
    _describe verb verbs
    return
  fi
  local at=\${words[(i)--]}
  if (( at < CURRENT )); then
    shift at words; (( CURRENT -= at ))
    _normal
    return
  fi
  local verb=$words[2]
  shift words; (( CURRENT-- ))
  case $verb in
${sections.join('\n')}
  esac
}
# Loaded by the completion system, or read by \`source\`.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _tincan "$@"; else compdef _tincan tincan; fi`;
}

function quoteZsh(text: string): string {
  return text
    .replaceAll("'", "'\\''")
    .replace(/[[\]:]/g, '\\$&')
    .replaceAll('`', '');
}

function fish(verbs: readonly Verb[]): string {
  const lines = verbs.flatMap((verb) => {
    const here = `complete -c tincan -n '__fish_seen_subcommand_from ${verb.name}'`;
    const options = Object.entries(verb.options).map(([name, option]) => {
      const short = option.short === undefined ? '' : ` -s ${option.short}`;
      const needs = option.type === 'flag' ? '' : option.choices ? ' -x' : ' -r';
      const values = option.choices ? ` -a '${option.choices.join(' ')}'` : '';
      return `${here} -l ${name}${short}${needs}${values} -d '${quoteFish(option.description)}'`;
    });
    const offered = verb.name === 'help' ? verbs.map(({ name }) => name) : verb.words;
    const words = offered ? [`${here} -f -a '${offered.join(' ')}'`] : [];
    return [
      `complete -c tincan -n __fish_use_subcommand -f -a ${verb.name} -d '${quoteFish(verb.summary)}'`,
      ...options,
      ...words,
    ];
  });
  return `# fish completion of tincan
function __tincan_server
  # Behind -- stands the command of a server: commands, then files.
  set -l words (commandline -opc)
  set -l at (contains -i -- -- $words); or return 1
  if test $at -eq (count $words)
    complete -C (commandline -ct)
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c tincan -n 'contains -- -- (commandline -opc)' -f -a '(__tincan_server)'
${lines.join('\n')}`;
}

function quoteFish(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('`', '');
}
