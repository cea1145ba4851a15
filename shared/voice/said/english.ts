/** The words of English that rules put in the place of signs. */

const list = (words: string): string[] => words.trim().split(/\s+/);
const pairs = (lines: string): [string, readonly [string, string]][] =>
  lines
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => {
      const [name = "", one = "", many = `${one}s`] = line.split("|");
      return [name, [one, many]];
    });

export const smallNumbers = list(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
);
export const tens = ["", "ten", ...list("twenty thirty forty fifty sixty seventy eighty ninety")];
export const tensth = ["", "tenth", "twentieth", "thirtieth"];
export const ordinalsBelow20 = [
  "zeroth",
  ...list(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
  ),
];

/** What is below the line of a fraction, of one and of several. */
export const denominators: ReadonlyMap<string, readonly [string, string]> = new Map(
  pairs("2|half|halves\n3|third\n4|quarter\n5|fifth\n6|sixth\n8|eighth\n16|sixteenth"),
);

export const months = list(
  "January February March April May June July August September October November December",
);
const weekdays = list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday");
const shortMonths = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec";
const longName = (names: readonly string[], short: string): string =>
  names.find((name) => name.startsWith(short.slice(0, 3))) ?? short;

/** Names as parts of patterns, and what their short forms stand for. */
export const manyOf = {
  months: `${months.join("|")}|${shortMonths}`,
  shortMonths,
  month: (name: string): string => longName(months, name),
  weekdays: `${weekdays.join("|")}|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun`,
  weekday: (name: string): string => longName(weekdays, name),
  /** Programs whose versions have two parts. */
  versioned:
    "[Vv]ersion|[Rr]elease|Node(?:\\.js)?|Python|Java|Ruby|Go|PHP|Rust|Electron|React|Vue|Angular|TypeScript|Ubuntu|Debian|Fedora|macOS|iOS|Android|Chrome|Firefox|Postgres|PostgreSQL|MySQL|Kubernetes|Docker",
};

/** One, many, a hundredth of it, and several of those. */
export const currencies: ReadonlyMap<string, readonly [string, string, string, string]> = new Map([
  ["$", ["dollar", "dollars", "cent", "cents"]],
  ["US$", ["US dollar", "US dollars", "cent", "cents"]],
  ["A$", ["Australian dollar", "Australian dollars", "cent", "cents"]],
  ["C$", ["Canadian dollar", "Canadian dollars", "cent", "cents"]],
  ["CA$", ["Canadian dollar", "Canadian dollars", "cent", "cents"]],
  ["NZ$", ["New Zealand dollar", "New Zealand dollars", "cent", "cents"]],
  ["HK$", ["Hong Kong dollar", "Hong Kong dollars", "cent", "cents"]],
  ["S$", ["Singapore dollar", "Singapore dollars", "cent", "cents"]],
  ["R$", ["real", "reais", "", ""]],
  ["€", ["euro", "euros", "cent", "cents"]],
  ["£", ["pound", "pounds", "penny", "pence"]],
  ["¥", ["yen", "yen", "", ""]],
  ["₹", ["rupee", "rupees", "", ""]],
  ["₽", ["rouble", "roubles", "", ""]],
  ["₩", ["won", "won", "", ""]],
  ["CHF", ["Swiss franc", "Swiss francs", "", ""]],
]);
export const currencyCodes: ReadonlyMap<string, string> = new Map([
  ["USD", "US$"],
  ["EUR", "€"],
  ["GBP", "£"],
  ["JPY", "¥"],
  ["CHF", "CHF"],
  ["AUD", "A$"],
  ["CAD", "C$"],
  ["INR", "₹"],
]);
export const large: ReadonlyMap<string, string> = new Map([
  ["k", "thousand"],
  ["K", "thousand"],
  ["m", "million"],
  ["M", "million"],
  ["mn", "million"],
  ["B", "billion"],
  ["bn", "billion"],
  ["T", "trillion"],
]);

export const units: ReadonlyMap<string, readonly [string, string]> = new Map(
  pairs(`km|kilometre
    m|metre
    cm|centimetre
    mm|millimetre
    µm|micrometre
    μm|micrometre
    nm|nanometre
    mi|mile
    ft|foot|feet
    yd|yard
    kg|kilogram
    g|gram
    mg|milligram
    µg|microgram
    μg|microgram
    lb|pound
    lbs|pound
    oz|ounce
    l|litre
    L|litre
    ml|millilitre
    mL|millilitre
    cl|centilitre
    dl|decilitre
    km/h|kilometre an hour|kilometres an hour
    kph|kilometre an hour|kilometres an hour
    mph|mile an hour|miles an hour
    m/s|metre a second|metres a second
    ft/s|foot a second|feet a second
    m/s²|metre per second squared|metres per second squared
    km²|square kilometre
    m²|square metre
    cm²|square centimetre
    mm²|square millimetre
    ft²|square foot|square feet
    m³|cubic metre
    cm³|cubic centimetre
    km³|cubic kilometre
    kB|kilobyte
    KB|kilobyte
    MB|megabyte
    GB|gigabyte
    TB|terabyte
    PB|petabyte
    KiB|kibibyte
    MiB|mebibyte
    GiB|gibibyte
    TiB|tebibyte
    kbps|kilobit a second|kilobits a second
    Mbps|megabit a second|megabits a second
    Gbps|gigabit a second|gigabits a second
    Mbit/s|megabit a second|megabits a second
    Gbit/s|gigabit a second|gigabits a second
    Mb/s|megabit a second|megabits a second
    Gb/s|gigabit a second|gigabits a second
    Mb|megabit
    Gb|gigabit
    kB/s|kilobyte a second|kilobytes a second
    KB/s|kilobyte a second|kilobytes a second
    MB/s|megabyte a second|megabytes a second
    GB/s|gigabyte a second|gigabytes a second
    Hz|hertz|hertz
    kHz|kilohertz|kilohertz
    MHz|megahertz|megahertz
    GHz|gigahertz|gigahertz
    W|watt
    kW|kilowatt
    MW|megawatt
    GW|gigawatt
    Wh|watt hour
    kWh|kilowatt hour
    MWh|megawatt hour
    V|volt
    mV|millivolt
    kV|kilovolt
    mA|milliamp
    mAh|milliamp hour
    Ω|ohm
    dB|decibel
    ns|nanosecond
    µs|microsecond
    μs|microsecond
    ms|millisecond
    s|second
    sec|second
    min|minute
    h|hour
    hr|hour
    hrs|hour
    px|pixel
    fps|frame a second|frames a second
    rpm|revolution a minute|revolutions a minute
    yr|year
    yrs|year
    ha|hectare
    tsp|teaspoon
    tbsp|tablespoon
    fl oz|fluid ounce
    gal|gallon
    mmHg|millimetre of mercury|millimetres of mercury
    kcal|kilocalorie
    J|joule
    kJ|kilojoule
    Pa|pascal
    kPa|kilopascal
    hPa|hectopascal
    ppm|part per million|parts per million
    °C|degree Celsius|degrees Celsius
    °F|degree Fahrenheit|degrees Fahrenheit
    ℃|degree Celsius|degrees Celsius
    ℉|degree Fahrenheit|degrees Fahrenheit
    sq ft|square foot|square feet`),
);

/** Letters that stand for things in mathematics. */
export const greek: ReadonlyMap<string, string> = new Map(
  list(
    "α:alpha β:beta γ:gamma δ:delta ε:epsilon ζ:zeta η:eta θ:theta ι:iota κ:kappa λ:lambda μ:mu ν:nu ξ:xi π:pi ρ:rho σ:sigma τ:tau φ:phi χ:chi ψ:psi ω:omega Γ:gamma Δ:delta Θ:theta Λ:lambda Ξ:xi Π:pi Σ:sigma Φ:phi Ψ:psi Ω:omega",
  ).map((pair) => [pair.slice(0, 1), pair.slice(2)]),
);

/** Short words of code that are said letter by letter. */
const spelled = new Set(
  list(
    "http https url urls uri html css json xml sql api apis ui ux id ids db ip tcp udp cli cpu gpu io os fs ts js tsx jsx mjs cjs mts npm ssh ssl tls dns jwt csv pdf svg png jpg jpeg gif mp3 mp4 uuid tts stt llm ai md py rb rs go cpp txt yml sh ps1 exe dll php wav ico crt ttf vm qa pr ci cd ok hr dom ast sdk ide orm usb ram ssd gui pid uid gid utf",
  ).filter((word) => word !== "go" && word !== "ok"),
);
/** Short words of code that are said in full. */
const full: ReadonlyMap<string, string> = new Map(
  list(
    "src:source btn:button msg:message cfg:config ctx:context tmp:temp fn:function pkg:package repo:repo dir:directory dev:dev env:env img:image num:number len:length idx:index char:char str:string yaml:yaml toml:toml",
  ).map((pair): [string, string] => {
    const [short = "", long = ""] = pair.split(":");
    return [short, long];
  }),
);

const letters = (word: string): string => [...word.toUpperCase()].join(" ");

/** A word of code as it is said: "U R L", "message". */
export function codeWord(word: string): string {
  const lower = word.toLowerCase();
  if (spelled.has(lower)) return letters(word);
  if (/^[A-Z]{2,3}$/.test(word) && !/[AEIOUY]/.test(word)) return letters(word);
  return full.get(lower) ?? lower;
}

export { letters as spelledOut };
