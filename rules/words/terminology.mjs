// @ts-check

/**
 * Words and phrases that the project does not use, with the wording to use instead. They are matched in Markdown,
 * comments, test titles and every string of two words or more; never in identifiers.
 *
 * @type {{ find: RegExp, write: string }[]}
 */
export const terminology = [
  // Except the SQL statement `begin`, which ends a line, or starts a PL/pgSQL body.
  {
    find: /(?<!\$\$\s|')\b(begin(?!`|'|"|;|\s*$| +(perform|return|if)\b)|begins|began|begun|beginning)\b/gim,
    write: 'start',
  },
  {
    find: /\b(nobody|somebody|whoever|whomever)\b/gi,
    write: 'no one, or name the actor: the client, the caller, staff',
  },
  { find: /\banew\b/gi, write: 'again' },
  { find: /\bagain and again\b/gi, write: 'repeatedly, or "is idempotent"' },
  {
    find: /\bstands?\s+(in|for|beside|there|at|on|behind|alone|once|twice)\b/gi,
    write: 'is in, represents, is next to',
  },
  {
    find: /\bas (it|he|she|they) stands?\b|\bhow (it|they|\w+) (really )?stands?\b/gi,
    write: 'current state',
  },
  {
    find: /\b(is|are|was|were|be|been|being) told\b|\btold of\b|\b(hear|hears|heard|learn|learns|learnt|learned) of\b/gi,
    write: 'is notified about, receives, finds out',
  },
  {
    find: /\b(give|gives|given|gave|giving) (it |them |this )?up\b/gi,
    write: 'cancel, abandon, fail permanently',
  },
  { find: /\b(go|goes|went|gone|going) on\b(?! sale)/gi, write: 'continue, resume' },
  { find: /\bgo-on\b/gi, write: 'continue, resume' },
  {
    find: /\b(a|the) person (has|have|had) to\b|\bwants? a person\b|\bwait(s|ing)? for a person\b/gi,
    write: 'needs manual review',
  },
  { find: /\b(is|are|was|were) not right\b/gi, write: 'is invalid' },
  { find: /\b(put|puts|putting) off\b/gi, write: 'postpone, reschedule' },
  { find: /\b(sent|send|sends|sending) away\b/gi, write: 'rejected, shed' },
  { find: /\bwakes? nobody\b/gi, write: 'does not notify subscribers' },
  { find: /\byoung again\b/gi, write: 'expiry reset' },
  {
    find: /\b(on|in) (its|their) own account\b|\bof (its|their|our|his|her) own(?=[.,;:)`'"]|$|\s+(and|or|that|which|in|at|for|with|so|by|on|is|are|when|while|until|to|from)\b)/gim,
    write: 'a separate …, its own …, or nothing',
  },
  { find: /\bbeside\b/gi, write: 'next to, alongside, as well as' },
  { find: /\b(mend|mends|mended|mending)\b/gi, write: 'fix, repair, correct' },
  { find: /\b(foretell|foretells|foretold)\b/gi, write: 'predict, set optimistically' },
  { find: /\b(questioned|given back|gives? back|gave back)\b/gi, write: 'disputed, refunded, returned' },
  {
    find: /\b(Who|Whose|Whom)\s(?!to\b)(?![^.?!]*\?)\w+|(?<=[;:]\s+)(who|whose|whom)\s(?!to\b|card\b)(?![^.?!]*\?)\w+/g,
    write: 'name the actor: "a client who …", "the caller"',
  },
];
