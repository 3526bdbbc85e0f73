/** The words that notes of our own making are put together from. */

const words = (text) => text.trim().split(/\s+/);
const pairs = (first, second, join = ' ') =>
  first.flatMap((a) => second.map((b) => `${a}${join}${b}`));
const topic = (values, note, direct, paraphrase, english) => ({
  values,
  texts: { note, direct, paraphrase, ...(english === undefined ? {} : { english }) },
});

const HOURS = words('01:15 02:00 02:30 03:45 04:10 05:20 21:00 22:30 23:05 23:50');
const DAYS = words('Monday Tuesday Wednesday Thursday Friday Saturday Sunday');
const NUMBERS = words('3 5 7 9 12 14 18 21 25 30 45 60 90 120');
const PLACES = words('Lisbon Oslo Turin Ghent Porto Leeds Cork Bergen Basel Graz Malmo Nantes');
const TEAMS = words('payments platform search mobile data storage billing identity network docs');

/** English facts about things with a name of two words. */
export const ENGLISH = {
  names: pairs(
    words(`Amber Birch Cobalt Dusky Ember Fallow Granite Hollow Indigo Jasper Kestrel Lunar Maple Nimbus Ochre
      Pewter Quartz Russet Saffron Tundra Umber Velvet Willow Yarrow Zephyr Alder Bramble Cinder Drift Elder
      Fern Glacier Hazel Ivory Juniper Larch Meadow Nettle Onyx Poplar Reed Sable Thistle Vesper Wren Aspen
      Basalt Clover Dapple Flint`),
    words(`Lighthouse Harbor Orchard Viaduct Foundry Compass Lantern Anchor Quarry Beacon Mill Bridge Canal Depot
      Engine Ferry Gate Hangar Kiln Ledger Mast Nursery Observatory Pier Quill Relay Signal Tower Vault Wharf
      Attic Barn Cellar Dock Easel Forge Garden Hearth Inlet Jetty`),
  ),
  unknown: pairs(
    words('Copper Marble Raven Topaz Sorrel Heron Crimson Mossy Silver Badger'),
    words('Lagoon Citadel Pavilion Turbine Rotunda Sawmill Aqueduct Granary Chapel Bazaar'),
  ),
  topics: [
    topic(
      [HOURS, NUMBERS],
      'The nightly backup of {e} starts at {0} and is kept for {1} days.',
      'When does the nightly backup of {e} start?',
      'At what hour is the data of {e} copied away?',
    ),
    topic(
      [DAYS, HOURS],
      '{e} is deployed every {0} at {1}, after the release notes are approved.',
      'On which day is {e} deployed?',
      'When do new versions of {e} go live?',
    ),
    topic(
      [TEAMS],
      'Questions about {e} go to the {0} team; they own its code.',
      'Which team owns {e}?',
      'Who is responsible for {e}?',
    ),
    topic(
      [NUMBERS],
      'Requests to {e} time out after {0} seconds and are retried twice.',
      'After how many seconds do requests to {e} time out?',
      'How long does a caller wait for {e} before giving up?',
    ),
    topic(
      [PLACES],
      'The servers of {e} stand in {0}, with a spare in another country.',
      'Where do the servers of {e} stand?',
      'In which city is the hardware behind {e} located?',
    ),
    topic(
      [words('PostgreSQL SQLite Redis MySQL MongoDB Cassandra')],
      '{e} stores its records in {0} because the old database was too slow.',
      'Which database stores the records of {e}?',
      'What does {e} persist its data with?',
    ),
    topic(
      [NUMBERS],
      'We decided to limit {e} to {0} users at a time until the memory leak is fixed.',
      'To how many users is {e} limited?',
      'What is the maximum of people allowed on {e} at once?',
    ),
    topic(
      [words('TypeScript Rust Go Python Kotlin Elixir Java Swift')],
      '{e} was rewritten in {0} last spring; the first version is archived.',
      'In which language was {e} rewritten?',
      'What programming language is {e} made in nowadays?',
    ),
    topic(
      [NUMBERS],
      'The licence of {e} costs {0} euros a month and is renewed every January.',
      'How many euros a month does the licence of {e} cost?',
      'What do we pay for the use of {e}?',
    ),
    topic(
      [words('blue green orange violet crimson teal')],
      'The dashboard of {e} shows errors in {0}; anything else is a warning.',
      'In which colour does the dashboard of {e} show errors?',
      'How are failures of {e} marked on the monitoring page?',
    ),
    topic(
      [DAYS],
      'The weekly meeting about {e} was moved to {0} morning.',
      'On which morning is the weekly meeting about {e}?',
      'When do we sit together to talk over {e}?',
    ),
    topic(
      [words('certificate password token signature hash cookie')],
      'Logging in to {e} failed because the {0} had expired; renewing it helped.',
      'Why did logging in to {e} fail?',
      'What was the reason that nobody could sign on to {e}?',
    ),
    topic(
      [NUMBERS],
      'Photos uploaded to {e} are scaled down to {0} kilobytes.',
      'To how many kilobytes are photos uploaded to {e} scaled down?',
      'How small are pictures made that users send to {e}?',
    ),
    topic(
      [words('train bicycle tram bus ferry taxi')],
      'Visitors reach the office of {e} best by {0}; parking is hard to find.',
      'How do visitors reach the office of {e} best?',
      'What transport should guests take to get to {e}?',
    ),
    topic(
      [words('peanuts shellfish gluten dairy eggs soy')],
      'The lunch of the {e} crew must not contain {0}, somebody is allergic.',
      'What must the lunch of the {e} crew not contain?',
      'Which food has to be avoided when we cook for {e}?',
    ),
    topic(
      [words('Mercury Venus Mars Jupiter Saturn Neptune')],
      'The internal code name of {e} was {0} before it was announced.',
      'What was the internal code name of {e}?',
      'How was {e} called before the public heard of it?',
    ),
  ],
};

const VERBS =
  words(`parse load merge flush encode decode resolve compile fetch index rotate verify split join
  trim hash lock queue drain schedule restore export import replay render measure`);
const OBJECTS =
  words(`Ledger Row Token Frame Header Session Packet Schema Cursor Bucket Snapshot Manifest Journal
  Lease Digest Batch Shard Topic Window Segment Record Palette Route Channel Buffer Envelope Invoice Voucher
  Receipt Ticket Basket Parcel Label Banner Widget Panel`);

/** What a program calls its things. */
export const IDENTIFIERS = {
  names: pairs(VERBS, pairs(OBJECTS, words('Row List Map Tree Pool'), ''), ''),
  topics: [
    topic(
      [words('RangeError TypeError TimeoutError ParseError StateError')],
      '`{e}` throws a {0} when its argument is empty; check the length first.',
      '{e} throws',
      'what happens if {e} gets an empty argument',
    ),
    topic(
      [words('maxItems retryLimit chunkSize keepAlive strictMode')],
      'Set `{0}` before calling {e}(), or it falls back to the slow path.',
      'option to set before calling {e}()',
      'how to make {e} fast',
    ),
    topic(
      [NUMBERS],
      'Deprecated: {e} goes away in version {0}. Callers move to the asynchronous variant.',
      'in which version does {e} go away',
      'when will {e} be removed',
    ),
  ],
};

/** Japanese facts, with a question in English for each. */
export const JAPANESE = {
  names: pairs(
    words(`青葉 桜木 白鷺 朝霧 夕凪 若竹 黒潮 銀杏 紅葉 雪見 月影 星川 花園 春風 秋津 冬木 松島 梅田 竹原 藤沢 楓山 柏木
      菊池 葵町 蓮沼 萩原 椿谷 橘川 榎本 桐生`),
    words(`計画 倉庫 工場 本店 支店 研究所 図書館 食堂 寮 農園 美術館 病院 学校 劇場 市場 旅館 公園 牧場 造船所 発電所
      温泉 庭園 書店 薬局 銀行 水族館 動物園 放送局 印刷所 体育館`),
    '',
  ),
  unknown: pairs(
    words('鴨居 鶴岡 亀戸 熊谷 鹿島 鷹匠 狐塚'),
    words('灯台 酒蔵 窯元 天文台 植物園 競技場'),
    '',
  ),
  topics: [
    topic(
      [words('月曜日 火曜日 水曜日 木曜日 金曜日')],
      '{e}の定休日は{0}で、祝日は開いている。',
      '{e}の定休日は何曜日ですか',
      '{e}が閉まっているのはいつ',
      'On which day is {e} closed?',
    ),
    topic(
      [words('田中 鈴木 佐藤 高橋 山本')],
      '{e}の鍵は{0}さんが預かっている。',
      '{e}の鍵は誰が預かっていますか',
      '{e}を開けたいときは誰に頼む',
      'Who keeps the key of {e}?',
    ),
    topic(
      [words('三十 五十 八十 百 二百')],
      '{e}の会議室には{0}人まで入れる。',
      '{e}の会議室には何人入れますか',
      '{e}の打ち合わせの部屋の定員は',
      'How many people fit into the meeting room of {e}?',
    ),
    topic(
      [words('東京 大阪 京都 札幌 福岡 仙台')],
      '{e}のサーバーは{0}のデータセンターに移した。',
      '{e}のサーバーはどこに移しましたか',
      '{e}の機械は今どの都市にある',
      'To which city were the servers of {e} moved?',
    ),
    topic(
      [words('午前九時 午前十時 午後一時 午後三時')],
      '{e}への配達は{0}までに頼むと当日に届く。',
      '{e}への配達は何時までに頼めば当日に届きますか',
      '{e}に荷物を今日中に送る締め切りは',
      'Until when must a delivery to {e} be ordered to arrive the same day?',
    ),
    topic(
      [words('卵 牛乳 小麦 海老 蕎麦')],
      '{e}の弁当には{0}を入れないこと。アレルギーの人がいる。',
      '{e}の弁当に入れてはいけないものは何ですか',
      '{e}の昼食で避けるべき食材は',
      'What must not be in the lunch boxes for {e}?',
    ),
  ],
};

/** Questions about what no note is about. */
export const OFF_TOPIC = `
How long should soft eggs boil?
Which violin strings sound warmest?
Why do cats purr when they sleep?
What is the best way to prune tomato plants?
How many moons orbit the seventh planet?
Who painted the ceiling of the chapel?
Can penguins smell fish under water?
How do I tune a ukulele by ear?
What makes sourdough bread rise overnight?
Which muscles does swimming train?
How deep is the ocean trench near the islands?
When did the Roman empire fall?
Is it safe to eat wild mushrooms raw?
How is amber formed from tree resin?
What does a barometer measure before a storm?
Why is the sky red at sunset?
How do bees find their way back to the hive?
Which chess opening suits beginners?
How tall was the largest dinosaur?
What language did the Vikings speak?
How do you remove red wine from a carpet?
Which vitamins are in spinach?
How often should a horse be shod?
What is the plot of the opera about the clown?
How does a sundial show the hour?
ピアノの調律はどのくらいの頻度で行うべきですか
恐竜はなぜ絶滅したのですか
味噌汁の作り方を教えて
月の裏側には何がありますか
猫の寿命はどのくらい
富士山に登るのに良い季節は
俳句の季語とは何か
金魚の飼い方の基本
将棋の駒の動かし方
台風はどうして発生するのか`
  .trim()
  .split('\n');

/** Things that no note says of anything that is there. */
export const UNRECORDED = `
What song do they play when {e} opens?
How heavy is the front door of {e}?
Which poem is carved above the entrance of {e}?
How many windows does {e} have?
What breed is the dog that guards {e}?
Which tree was planted behind {e} in memory of the founder?
What perfume reminds people of {e}?
How loud is the horn of {e} in decibels?`
  .trim()
  .split('\n');
