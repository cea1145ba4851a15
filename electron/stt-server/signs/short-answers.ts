/** What people say alone and briefly, in English, the words that Parley asks for among them: anything else in so short a sound is less likely to be speech. */
export const shortAnswers: readonly string[] = [
  ..."yes|yeah|yep|no|nope|okay|sure|right|exactly|correct|wrong|true|false|maybe|both|none|all|neither".split(
    "|",
  ),
  ..."stop|wait|cancel|never mind|continue|go|go on|go ahead|next|back|again|repeat|repeat that|undo|done".split(
    "|",
  ),
  ..."enough|quit|help|read|open|close|save|send|delete|later|not now|up|down|more|less".split("|"),
  ..."approve|deny|allow|allow all|deny all|skip|slower|faster|read it all".split("|"),
  ..."thanks|thank you|please|yes please|no thanks|sorry|hello|hey|hi|good|great|fine|nice|perfect".split(
    "|",
  ),
  ..."what|why|why not|who|how|when|where|which|what else|and then|tell me more|really".split("|"),
  ..."of course|i see|first|second|third|the first|the second|a|b|c|d".split("|"),
  ..."zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve".split("|"),
];
