import { describe, expect, test } from "vitest";
import type { Reading } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { OwnWords } from "../../../../electron/stt-server/rescoring/own-words.ts";
import { soundsOf } from "../../../../shared/voice/phonemes.ts";
import { readySounds, soundDistance } from "../../../../shared/voice/sound-distance.ts";

/** @param said words with how sure the recogniser is of them after a `:` where it is not sure; `?` where nobody knows */
const heard = (said: string, wordMs = 100) =>
  said.split(" ").map((part, index) => {
    const [word = "", sure = "1"] = part.split(":");
    return {
      ...(sure === "?" ? { word } : { word, confidence: Number(sure) }),
      ...{ start_ms: index * wordMs, end_ms: index * wordMs + wordMs },
    };
  });
/** A reading whose words are each as long as one of the first choice. */
const reading = (said: string, cost = 1): Reading => ({
  text: said,
  cost,
  words: said.split(" ").map((word, index) => ({ word, startMs: index * 100, endMs: index * 100 + 100 })),
});
/** @param own words, with what they were misheard as after a `=` */
const ownWords = (own: readonly string[]) =>
  new OwnWords(
    own.map((line) => {
      const [word = "", forms] = line.split("=");
      return { word, heardAs: forms?.split(",") ?? [] };
    }),
  );
const text = (own: readonly string[], said: string, readings: readonly Reading[] = []) =>
  ownWords(own)
    .applied(heard(said), readings)
    .map(({ word }) => word)
    .join(" ");

describe("the user's own words", () => {
  test.each([
    ["Kubernetes", "deploy it to cuban:0.4 at:0.5 ease:0.4 today", "deploy it to Kubernetes today"],
    ["Kubernetes", "deploy it to cooper:0.4 nettie's:0.5 today", "deploy it to Kubernetes today"],
    ["Mirelle", "write to morel:0.5 please", "write to Mirelle please"],
    ["Zoltan Farkas", "ask soul:0.3 tan:0.4 far:0.6 cuss:0.3 about it", "ask Zoltan Farkas about it"],
    ["Tavora", "ask to:0.5 vora:0.4 now", "ask Tavora now"],
    ["Braxwell", "call bricks well today", "call Braxwell today"],
    ["Dashiell", "call dashiell today", "call Dashiell today"],
    ["Okonjo=can jaw", "ask can:0.6 jaw:0.5 about it", "ask Okonjo about it"],
    ["Зорват", "позвони зори:0.4 вата:0.5 завтра", "позвони Зорват завтра"],
    ["Тавора", "спроси то:0.5 вора:0.4 сейчас", "спроси Тавора сейчас"],
    ["Kubernetes", "Deploy it to cuban:0.4 at:0.5 ease,:0.4 today.", "Deploy it to Kubernetes, today."],
    ["Mirelle", "(Morel):0.5 writes.", "(Mirelle) writes."],
    ["mail", "Male:0.5 it. Male:0.5 him", "Mail it. Mail him"],
    ["Tavora", "ask to:? vora:? now", "ask Tavora now"],
  ])("%s stands in place of what sounds like it: “%s”", (own, said, expected) => {
    expect(text([own], said)).toBe(expected);
  });

  test.each([
    ["Lydia", "see you later:0.5"],
    ["Anna", "and a:0.4 banana:0.5"],
    ["Bo", "go:0.2 home"],
    ["Mirelle", "the mural of the town"],
    ["Tavora", "the favour:0.5 of it"],
    ["Anouk=and", "salt and:0.5 pepper"],
    ["Okonjo=can jaw", "you can jaw about it"],
  ])("%s is not heard in “%s”", (own, said) => {
    expect(text([own], said)).toBe(said.replaceAll(/:[\d.]+/g, ""));
  });

  test("what is heard as one of them is not another one that sounds the same", () => {
    const names = ["Catherine", "Katherine"];
    expect(text(names, "tell katherine:0.9 now")).toBe("tell Katherine now");
    expect(text(names, "tell Katherine and catherine")).toBe("tell Katherine and Catherine");
    expect(text(["principal", "principle"], "in principle yes")).toBe("in principle yes");
    expect(text(["Ann", "Ann Marie"], "ask ann marie:0.8 now")).toBe("ask Ann Marie now");
    const readings = ["tell katherine now", "tell catherine now"].map((said) => reading(said));
    expect(text(names, "tell katherine:0.5 now", readings)).toBe("tell Katherine now");
  });

  test("another reading may have the word where the first choice has not", () => {
    const said = "write to metal:0.5 soon";
    expect(text(["Mirelle"], said)).toBe("write to metal soon");
    expect(text(["Mirelle"], said, [reading("write to metal soon", 0), reading("write to morel soon")])).toBe(
      "write to Mirelle soon",
    );
  });

  test("one reading that sounds like it among many that do not is chance", () => {
    const others = ["box", "dog", "sky", "cup", "fish", "tea"].map((word) =>
      reading(`write to ${word} soon`),
    );
    const one = reading("write to moral soon");
    expect(text(["Mirelle"], "write to moss:0.5 soon", [one])).toBe("write to Mirelle soon");
    expect(text(["Mirelle"], "write to moss:0.5 soon", [one, ...others])).toBe("write to moss soon");
  });

  test.each([
    ["Rust", "you can trust me", "you can rust me"],
    ["Ben", "it has been a day", "it has ben a day"],
    ["Kate", "close the gate now", "close the kate now"],
  ])("%s is not heard in “%s” since one unlikely reading has it", (own, said, other) => {
    const agreeing = Array.from({ length: 99 }, () => reading(said, 0));
    expect(text([own], said, [...agreeing, reading(other, 60)])).toBe(said);
    expect(text([own], said, [...agreeing.slice(90), reading(other, 60)])).toBe(said);
    expect(text([own], said.replaceAll(/\w+$/g, "$&:0.9"), [...agreeing, reading(other, 60)])).toBe(said);
  });

  test("what somebody said and then changed is what they say the next time", () => {
    const agreeing = Array.from({ length: 99 }, () => reading("book a flight to london", 0));
    const readings = [...agreeing, reading("book a flight to land on", 3)];
    for (const sure of ["1", "0.96", "0.9"])
      expect(text(["Berlin=london"], `book a flight to london:${sure}`, readings)).toBe(
        "book a flight to london",
      );
  });

  test("what takes far longer to say was more than the word", () => {
    const said = (wordMs: number) =>
      ownWords(["Mirelle"])
        .applied(heard("write to morel:0.5", wordMs))
        .map(({ word }) => word);
    expect(said(500)).toContain("Mirelle");
    expect(said(1000)).not.toContain("Mirelle");
  });

  test("the beginning of a name is not the name, though it was misheard as that", () => {
    expect(text(["Calderose=coal"], "ask coal:0.4 about it")).toBe("ask coal about it");
    expect(text(["Calderose=calder"], "ask calder:0.4 about it")).toBe("ask Calderose about it");
  });

  test("pauses in an utterance do not make it less likely", () => {
    const said = "write to mirror:0.5 soon and then go home again";
    const before = [0, 1, 2].map((cost) => reading("write to morel soon", cost));
    const after = Array.from({ length: 9 }, (_, cost) => ({
      ...reading("and then go home again", cost),
      words: "and then go home again".split(" ").map((word, index) => ({
        ...{ word, startMs: 400 + index * 100, endMs: 500 + index * 100 },
      })),
    }));
    expect(text(["Mirelle"], said, [...before, ...after])).toContain("Mirelle");
  });

  test("where the readings disagree, what is heard surely is doubted, too", () => {
    const own = ["Halloran"];
    const readings = ["ask taylor in now", "ask hello ran now", "ask hell around now"].map((said) =>
      reading(said),
    );
    expect(text(own, "ask hell ran now", [])).toBe("ask hell ran now");
    expect(text(own, "ask hell ran now", readings)).toContain("Halloran");
  });

  test("what was heard in its place is kept with it, and its time", () => {
    expect(ownWords(["Tavora"]).applied(heard("ask to:0.5 vora:0.4 now"))[1]).toEqual({
      ...{ word: "Tavora", start_ms: 100, end_ms: 300, confidence: 0.45, alternatives: ["to vora"] },
    });
  });

  test("a long list takes no more for names than a short one", () => {
    const names = Array.from({ length: 500 }, (_, index) => nameOf(index));
    const said =
      "the quick:0.5 brown fox:0.6 jumps:0.4 over the lazy:0.3 dog and runs:0.5 away from the farmer:0.4";
    expect(text(names, said)).toBe(said.replaceAll(/:[\d.]+/g, ""));
  });

  test("never stand where nothing like them was said, and not where ordinary words are heard well", () => {
    const random = numbers(11);
    const names = [
      "Tavora",
      "Mirelle",
      "Zolvane",
      "Brexley",
      "Sundarvel",
      "Halloran",
      "Pelmarch",
      "Quintessa",
    ];
    for (let round = 0; round < 300; round++) {
      const words = Array.from({ length: 8 }, () => ordinary[random(ordinary.length)] ?? "");
      const clearly = words.map((word) => `${word}:${0.9 + random(10) / 100}`).join(" ");
      expect(text(names, clearly)).toBe(words.join(" "));
      const unclearly = words.map((word) => `${word}:${random(100) / 100}`).join(" ");
      const changed = ownWords(names).applied(heard(unclearly));
      for (const { word, alternatives = [] } of changed.filter((one) => names.includes(one.word))) {
        expect(apart(word, alternatives.join(" "))).toBeLessThan(0.43);
      }
    }
  });
});

const apart = (one: string, other: string) =>
  soundDistance(readySounds(soundsOf(one)), readySounds(soundsOf(other)));

const ordinary =
  "table window garden people sunday report number question coffee letter picture music paper yellow winter doctor kitchen money because tomorrow morning please write about after little between children story water never again house under different following example important company problem system".split(
    " ",
  );
const syllables = "ba co di fu la me no pi ra so tu va ze kor lin mar nel tan vek".split(" ");
function nameOf(index: number): string {
  const at = (place: number) =>
    syllables[Math.floor(index / syllables.length ** place) % syllables.length] ?? "";
  return `V${at(0)}${at(1)}${at(2)}nor`;
}

/** Numbers below a limit that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 16_807) % 2_147_483_647;
    return state % below;
  };
}
