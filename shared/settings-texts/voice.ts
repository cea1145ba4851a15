import type { VoiceSettingKey } from "../voice/voice-settings.ts";
import type { SettingText } from "./text.ts";

export const voiceTexts: Readonly<Record<VoiceSettingKey, SettingText>> = {
  "voice.source": {
    title: "Listens to",
    short: "What is heard when you turn voice on.",
    help: "What `/voice start` listens to.",
  },
  "voice.server": {
    title: "Speech server",
    short: "Who transcribes your speech. With built-in, it never leaves this computer.",
    help: "What transcribes your speech: the name of an MCP server, or `built-in` for Parley's own. With `built-in`, your speech never leaves this computer.",
  },
  "voice.microphone": {
    title: "Microphone",
    short: "If it is unplugged, the system default is used until it is back.",
    help: "The id of a microphone. Blank: the system's default.",
  },
  "voice.serverMicrophones": {
    title: "Microphones of other speech servers",
    short: "Which microphone each other speech server listens to.",
    help: "The microphone id to use with each other speech server, by the server's name. Each server has its own ids.",
  },
  "voice.model": {
    title: "Speech model",
    short: "Who turns your speech into words. More can be downloaded below.",
    help: "The speech model to use: an id from the catalogue, or a folder. Blank: the one that comes with Parley.",
  },
  "voice.language": {
    title: "Language",
    short: "The code of the language you speak, such as en, or auto.",
    help: "The language you speak: a code such as `en`, or `auto` if the speech model can detect it.",
  },
  "voice.endpointingMs": {
    title: "Silence that ends a turn",
    help: "How long you must be silent before your words count as finished.",
    unit: "ms",
  },
  "voice.utteranceEndMs": {
    title: "Longest silence in a turn",
    help: "How long Parley waits if your words sound unfinished.",
    unit: "ms",
  },
  "voice.maxUtteranceMs": {
    title: "Longest turn",
    help: "An utterance ends after this time, even if you go on speaking.",
    unit: "ms",
  },
  "voice.minConfidence": {
    title: "Lowest confidence",
    help: "An utterance that is recognised with less confidence than this is shown but not sent.",
  },
  "voice.wakePhrase": {
    title: "Wake phrase",
    short: "Parley transcribes nothing until it hears this. Blank: it transcribes everything.",
    help: "Parley transcribes nothing until it hears this phrase, and stops again after 8 s of silence. Blank: it transcribes everything.",
  },
  "voice.pushToTalk": {
    title: "Push-to-talk",
    short: "Parley hears you only with a key. If the system can’t tell that a key is held, you tap it.",
    help: "Parley hears you only while you `hold` a key, or between two taps of it (`tap`). If the system can't tell that a key is held, you tap it.",
  },
  "voice.pushToTalkKey": {
    title: "Push-to-talk key",
    short: "The key to hold or tap.",
    help: "The key to hold or tap, such as `F9`, `ScrollLock`, `CtrlRight` or `Ctrl+Alt+Space`.",
  },
  "voice.words": {
    title: "Your words",
    short: "Your names and words. They replace unclear words that sound like them.",
    help: "Your names and words. They replace unclear words that sound like them. Each is just the word, or `{ word, heardAs }` with what it was misheard as.",
  },
  "voice.learnWords": {
    title: "Learn words from corrections",
    help: "When you correct a misheard word, add it to your words.",
  },
  "voice.repair": {
    title: "Correct unclear words",
    short:
      "A model may correct them. It gets what was heard, the end of the conversation, your words and, in a folder you trust, file names.",
    help: "Let a model correct unclear words before they are sent. It gets the readings, the end of the conversation, your words and, in a folder you trust, the names of its files. `auto`: only a model on this computer, which costs nothing. `on`: one in the cloud, too, for about 600 tokens each time.",
  },
  "voice.repairMs": {
    title: "Longest wait for a correction",
    help: "How long an unclear prompt waits for this. Then it is sent as it was heard.",
    unit: "ms",
  },
  "voice.whileBusy": {
    title: "Speech while working",
    short: "What becomes of your prompt if you speak during a run.",
    help: "What happens if you speak during a run: your prompt waits its turn, joins the running turn, or interrupts it. What the computer plays always waits.",
  },
  "voice.stopWords": {
    title: "Words that stop",
    short: "Said alone, they end the run and the spoken reply. Said over a reply, they pause it.",
    help: "Said into the microphone on their own, they end the run and the spoken reply. Said over a reply, they pause it at once.",
  },
  "voice.mergeWindowMs": {
    title: "Time to go on speaking",
    help: "If you go on speaking within this time, your words join the same prompt; 0 = never.",
    unit: "ms",
  },
  "voice.queueMax": {
    title: "Spoken prompts that wait",
    help: "How many spoken prompts may wait. Further ones are held until there is room.",
  },
  "voice.reviewMs": {
    title: "Time to correct before sending",
    help: "How long a spoken prompt can be corrected before it is sent; 0 = at once.",
    unit: "ms",
  },
  "voice.speak": {
    title: "Spoken replies",
    short: "Which replies are spoken aloud.",
    help: "Which replies are spoken aloud: replies to `spoken` prompts, all, or none.",
  },
  "voice.spokenLength": {
    title: "Length of spoken replies",
    short: "Whether long replies are spoken whole.",
    help: "`short`: of a long reply only the beginning is spoken, and the rest is on screen until you say “read it all”. `whole`: all of it is spoken.",
  },
  "voice.voice": {
    title: "Voice",
    short: "Who speaks. More can be downloaded below.",
    help: "Built in (`slt`, `rms`), downloaded (`model:ID`), in a folder (`folder:PATH`), or the system's (`system`, `system:NAME`).",
  },
  "voice.speaker": {
    title: "Speaker of the voice",
    help: "For a voice with several speakers: which one, counted from 0.",
  },
  "voice.rate": { title: "Speed", help: "How fast the voice speaks; 1 is normal." },
  "voice.volume": { title: "Volume", help: "How loud the voice is." },
  "voice.declined": {
    title: "Offers you declined",
    short: "Parley does not make these offers again.",
    help: "Offers that Parley won't make again: `recogniser`, `voice`.",
  },
  "voice.chime": {
    title: "Chime",
    help: "Play a short sound when listening starts, when it stops, and when something waits for your answer to what you said.",
  },
  "voice.record": {
    title: "Keep recordings",
    help: "Save what is heard as sound files in the user-data folder.",
  },
  "voice.recordKeepDays": {
    title: "Keep recordings for",
    help: "Older recordings are deleted; 0 = kept until you delete them.",
    unit: "days",
  },
};
