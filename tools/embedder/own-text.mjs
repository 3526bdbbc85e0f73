/**
 * Sentences of our own for the teacher: what people and agents write into a memory and how they ask
 * for it again. Every sentence is put together from the lists below by a seeded choice.
 */
const lists = {
  name: `Alice Ben Carla David Emma Felix Grace Henry Iris Jack Karen Leo Maria Nathan Olivia Paul Quinn Rosa Sam Tara
    Victor Wendy Yuki Zoe Andrew Bella Chris Diana Ethan Fiona George Hannah Ivan Julia Kevin Laura Mark Nina Oscar
    Peter Rachel Steve Tim Ursula Vera Will Anna Brian Chloe Daniel Eva Frank Gina Hugo Jenny Kate Lucas Mia Noah`.split(
    /\s+/,
  ),
  family: split(
    'my sister|my brother|my mother|my father|my son|my daughter|my wife|my husband|my grandmother|my grandfather|my cousin|my best friend|my neighbour|my boss|my colleague|our teacher|the kids|my partner|my aunt|the landlord',
  ),
  past: split(
    'adopted|bought|lost|found|painted|sold|repaired|borrowed|broke|visited|joined|left|started|finished|cancelled|planned|organised|watched|read|wrote|cooked|baked|planted|cleaned|moved|photographed|built|designed|recommended|returned|signed up for|volunteered at|trained for|dreamed about|talked about|worried about|gave up|picked up|looked after|paid for|ordered|received|won|missed|enjoyed|hated|remembered|forgot|celebrated|recorded',
  ),
  thing: split(
    'a puppy|an old guitar|a mountain bike|the wedding|a cooking class|a book club|a pen pal|a marathon|the charity run|a camping trip|a birthday party|the piano|a novel|a cookbook|a vegetable garden|a new apartment|the kitchen sink|a used car|a drawing of a bridge|a photo album|the national park|a beach holiday|a job interview|a promotion|a scholarship|a tea shop|a summer job|a hiking trail|a coffee machine|a pair of running shoes|a necklace|a stuffed toy|a mural|a podcast|a video game|a board game night|a language course|a yoga retreat|the local shelter|a farmers market|a concert|a museum|a road trip|a sewing machine|a telescope|a violin|a recipe for bread|a business plan|a mentor|a therapist|a doctor appointment|a surgery|the bus pass|a lottery ticket|a library card|a rescue cat|a turtle|a snake|a bonsai tree',
  ),
  when: split(
    'yesterday|last week|last Friday|two days ago|last month|in March|in the summer of 2021|on Sunday morning|a few weeks ago|last night|this weekend|three years ago|next month|tomorrow|in 2019|on her birthday|before Christmas|after work|during the holidays|when it was raining|at the beginning of the year|on 12 June 2022|every Tuesday|since childhood',
  ),
  place: split(
    'in Boston|in Tokyo|in Paris|near the lake|at the community center|in the mountains|at school|at the office|in a small village|by the sea|at home|downtown|in Spain|in Canada|at the airport|in the park|at the hospital|in the backyard|at church|in the basement',
  ),
  feeling: split(
    'proud|nervous|grateful|exhausted|excited|lonely|relieved|angry|calm|inspired|disappointed|hopeful|overwhelmed|happy|sad|confident|scared|thankful|curious|motivated',
  ),
  reason: split(
    'to help others|to relax|because it was cheap|to save money|for her family|to meet new people|because of an injury|to learn something new|for the children|to deal with stress|because he needed a change|for a competition|to raise money|to stay healthy|since nobody else could',
  ),
  talk: split(
    'Wow, that is great!|Thanks, it means a lot.|How are you?|I know what you mean.|That sounds like fun.|Good luck with that.|Take care!|I am so sorry to hear that.|Congratulations!|What a lovely picture.|Long time no see.|No way!|You are right.|Keep it up!|I hope it works out.|Let us catch up soon.',
  ),
  hobby: split(
    'painting|running|calligraphy|reading|swimming|hiking|gardening|playing chess|cooking|photography|dancing|fishing|knitting|surfing|writing poems|playing the violin|watching movies|collecting coins|birdwatching|woodworking|skiing|martial arts|singing|volunteering|gaming|astronomy',
  ),
  food: split(
    'sushi|pizza|lasagna|green tea|black coffee|chocolate cake|peanuts|shellfish|dairy|spicy food|vegetables|oat milk|ramen|pancakes|red wine|tofu|ice cream|roast chicken|mushrooms|eggs',
  ),
  job: split(
    'nurse|software engineer|teacher|counselor|chef|lawyer|photographer|carpenter|accountant|musician|biologist|farmer|pilot|designer|journalist|police officer|dentist|architect|bus driver|librarian',
  ),
  topic: split(
    'family|history|climate change|mental health|religion|politics|education|careers|travel|pets|art|music|sports|food|health|money|friendship|books|work and life|future plans',
  ),
  service: split(
    'payment service|login page|search index|build pipeline|mobile app|billing job|web server|cache|message queue|database|API gateway|test suite|deployment script|user profile|email worker|image resizer|report generator|scheduler|admin panel|documentation site',
  ),
  tech: split(
    'PostgreSQL|SQLite|Redis|TypeScript|Python|Docker|Kubernetes|GitHub Actions|React|Vite|nginx|Kafka|Rust|Terraform|GraphQL|WebSockets|OAuth|JSON|YAML|ESLint|Vitest|npm workspaces|Node 20|S3|Linux|SSH keys',
  ),
  did: split(
    'uses|no longer uses|depends on|was migrated to|fails without|was rewritten in|is deployed with|talks to|is tested with|was slow because of|crashes on|needs an upgrade of',
  ),
  rule: split(
    'never commit secrets|run the tests before pushing|use tabs for indentation|prefer small pull requests|write error messages in lower case|keep functions short|avoid default exports|pin every dependency|deploy only on weekdays|ask before deleting data|log to stderr|use UTC for all timestamps|review every migration|squash commits before merging|document public functions|retry failed requests three times|rotate the keys every month|back up the database nightly|validate all input|keep the changelog up to date',
  ),
  bug: split(
    'a memory leak|a race condition|a timeout|a null pointer|an off-by-one error|a deadlock|a wrong time zone|a missing index|a broken link|duplicate rows|an encoding problem|a permission error|a flaky test|a stale cache|an infinite loop|a failed migration|high CPU load|lost messages|a full disk|an expired certificate',
  ),
  verb: split(
    'get|set|read|write|load|save|parse|format|convert|check|find|remove|add|sort|filter|merge|split|count|compute|create|delete|update|open|close|send|receive|print|draw|plot|round|reverse|flatten|normalize|encode|decode|compare|copy|move|rename|download|upload|validate|generate|extract|replace|insert|append|join|list|iterate over|select|group|map|reduce|test|return|calculate|determine',
  ),
  object: split(
    'list|string|file|dictionary|array|date|image|matrix|column|row|dataframe|path|directory|json|csv file|xml|url|socket|thread|process|timestamp|integer|float|boolean|tuple|set|key|value|index|line|word|character|color|pixel|vector|histogram|axis|figure|label|query|table|record|user|session|cookie|header|request|response|token|password|hash|random number|prime number|distance|angle|mean|median|variance|maximum|minimum|duplicate|substring|regular expression|class|object|attribute|function|argument|module|environment variable|exception|logger|iterator|generator|queue|stack|tree|graph|node',
  ),
  prep: split('in|from|to|by|of|without|with|as|into|after|before|between|for each'),
};

const word = (text) => text.replace(/^(an?|the) /, '');

const patterns = [
  (o) => `${o.name} said, "I ${o.past} ${o.thing} ${o.when}. ${o.talk}"`,
  (o) => `${o.name} said, "${o.talk} Have you ever ${o.past} ${o.thing}?"`,
  (o) =>
    `${o.name} said, "I felt so ${o.feeling} when ${o.family} ${o.past} ${o.thing} ${o.place}."`,
  (o) => `${o.name} said, "Hey ${o.name2}! ${o.talk} I have been ${o.hobby} a lot ${o.reason}."`,
  (o) => `${o.name} said, "${o.talk}" and shared a photo of ${o.thing} ${o.place}`,
  (o) => `${o.name} said, "I want to become a ${o.job} ${o.reason}, what about you?"`,
  (o) => `${o.name} ${o.past} ${o.thing} ${o.when} ${o.reason}.`,
  (o) => `${o.name} feels ${o.feeling} about ${o.thing} and ${o.topic}.`,
  (o) => `${o.name} enjoys ${o.hobby} and ${o.hobby2} with ${o.name2}.`,
  (o) => `When did ${o.name} ${o.verb} ${o.thing}?`,
  (o) => `What did ${o.name} do ${o.when} ${o.place}?`,
  (o) => `Why did ${o.name} and ${o.name2} choose ${o.thing}?`,
  (o) => `How does ${o.name} feel about ${o.hobby}?`,
  (o) => `What are ${o.name}'s hobbies besides ${o.hobby}?`,
  (o) => `Where has ${o.name} ${o.past} ${o.thing}?`,
  (o) => `Would ${o.name} likely enjoy ${o.hobby} or work as a ${o.job}?`,
  (o) => `How long has ${o.name} been interested in ${o.topic}?`,
  (o) => `Which ${word(o.thing)} did ${o.name} like the most?`,
  (o) => `I ${o.past} ${o.thing} ${o.place} ${o.when}.`,
  (o) => `${o.family} ${o.past} ${o.thing} ${o.when}`,
  (o) => `I am allergic to ${o.food} but I love ${o.food2}.`,
  (o) => `${o.family} works as a ${o.job} ${o.place} and likes ${o.hobby}.`,
  (o) => `Which food should ${o.family} avoid?`,
  (o) => `What does ${o.family} do for a living?`,
  (o) => `The user prefers ${o.food} over ${o.food2}.`,
  (o) => `The ${o.service} ${o.did} ${o.tech}.`,
  (o) => `We found ${o.bug} in the ${o.service} ${o.when}.`,
  (o) => `Decision: ${o.rule}, because ${o.bug} broke the ${o.service}.`,
  (o) => `Always ${o.rule} when working on the ${o.service}.`,
  (o) => `How do we fix ${o.bug} in the ${o.service}?`,
  (o) => `What does the ${o.service} depend on?`,
  (o) => `why is the ${o.service} failing with ${o.bug}`,
  (o) => `python ${o.verb} ${o.object} ${o.prep} ${o.object2}`,
  (o) => `how to ${o.verb} a ${o.object} ${o.prep} a ${o.object2} in python`,
  (o) => `python check if ${o.object} is ${o.object2}`,
  (o) => `${o.verb} the ${o.object} ${o.prep} a ${o.object2}`,
  (o) => code(o),
  (o) => code(o),
  (o) => `def ${o.id}(self, ${o.arg}):\n    return self._${o.arg2}.${o.id2}(${o.arg})`,
  (o) =>
    `function ${camel(`${o.id} ${o.arg2}`)}(${camel(o.arg)}) { return ${camel(o.id2)}(${camel(o.arg)}); }`,
];

/** `count` sentences, each pattern as often as the others. */
export function ownText(count, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  return Array.from({ length: count }, (_, i) => {
    const slots = Object.fromEntries(
      Object.entries(lists).map(([slot, list]) => [slot, pick(list)]),
    );
    for (const slot of ['name', 'hobby', 'food', 'object']) slots[`${slot}2`] = pick(lists[slot]);
    slots.id = snake(`${pick(lists.verb)} ${pick(lists.object)}`);
    slots.id2 = snake(`${pick(lists.verb)} ${pick(lists.object)}`);
    slots.arg = snake(pick(lists.object));
    slots.arg2 = snake(pick(lists.object));
    return patterns[i % patterns.length](slots);
  });
}

function code(o) {
  return `def ${o.id}(${o.arg}, ${o.arg2}=None):\n    """${o.verb[0].toUpperCase()}${o.verb.slice(1)} the ${o.object} ${o.prep} the ${o.object2}."""\n    return ${o.id2}(${o.arg})`;
}

function snake(text) {
  return text.replaceAll(' ', '_');
}

function camel(text) {
  return text.replace(/[ _](\w)/g, (_, letter) => letter.toUpperCase());
}

function split(text) {
  return text.split('|');
}
