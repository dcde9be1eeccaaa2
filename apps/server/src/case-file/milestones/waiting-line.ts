import { actorName, type MatterType, type Milestone, type Party, startsWithYou } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';

/** The facts about a matter that determine who has to act next. */
export interface MatterFacts {
  matterType: MatterType;
  parties: Pick<Party, 'role' | 'name'>[];
  /** Everyone on the case. */
  clients: NamedClient[];
  /** Without cancelled ones. */
  searches: SearchFacts[];
  /** The latest versions of the documents to sign. */
  documents: DocumentFacts[];
  /** Reports with an open task to read them. */
  reports: ReportFacts[];
}

export interface NamedClient {
  id: string;
  firstName: string;
  lastName: string;
}

export interface SearchFacts {
  supplier: string;
  status: 'awaiting_payment' | 'paid' | 'ordered' | 'returned' | 'reviewed';
  /** When Keyturn first showed the search. */
  createdAt: Date;
  paidAt: Date | null;
  orderedAt: Date | null;
  returnedAt: Date | null;
  /** A payment that waits for a decision by the bank or the firm, with the time since when. */
  pendingPayment: { heldBy: 'bank' | 'firm'; since: Date } | null;
}

export interface DocumentFacts {
  sharedAt: Date;
  /** Signed on paper: it is closed when the firm has received it, signed by everyone. */
  isOnPaper: boolean;
  /** Whether the firm has the completely signed document, on paper or electronically. */
  isClosed: boolean;
  /** When the firm received the signed paper. */
  receivedAt: Date | null;
  /** The originals of single clients that the firm has received. */
  originals: { clientId: string; receivedAt: Date }[];
  signatures: { clientId: string; signedAt: Date }[];
}

export interface ReportFacts {
  sharedAt: Date;
  /** The only client who reads it; null: everyone on the case. */
  forClientId: string | null;
  readBy: { clientId: string; readAt: Date }[];
}

/** A step under way, as the case feed describes it. */
export interface StepUnderWay {
  key: string;
  actor: Milestone['actor'];
  /** The firm's own words for who has to act next. */
  waitingFor: string | null;
  waitingSince: string | null;
  /** When the case feed last changed these words or their date; null without words. */
  waitingSetAt: Date | null;
}

/** The party to act next, and the day since which it has been their turn; null when it is not known. */
export interface WaitingLine {
  waiting_for: string;
  waiting_since: string | null;
}

/** A waiting-for line, with what the firm's own words add to it. */
export interface FullWaitingLine extends WaitingLine {
  also_waiting: WaitingLine | null;
}

/** The conclusion from the facts about a step. */
interface Finding extends WaitingLine {
  /** Whether this certainly has to happen next: the firm's words then come second. */
  isCertain: boolean;
  /** The latest event on which it is based: the firm's words apply only if they are newer. */
  lastEvent: Date | null;
}

/**
 * Decides who has to act next in a step under way, as one client of the case reads it. The first rule that applies
 * decides. Where one of the first five does, the firm's words are added to it, if they are newer than the latest event.
 *
 * | Step | Facts | Waiting for | Since |
 * |---|---|---|---|
 * | searches | a search awaits payment | You, then its supplier | the firm's date, or when it was asked for |
 * | searches | the bank is confirming a payment | Your bank | the payment |
 * | signing | a client has not signed | that client, by name | when the document was shared |
 * | signing | a paper has not come back | Your signed papers | when the document was shared |
 * | signing | both | the signatures and your signed papers | when the first one was shared |
 * | report | a client has not read it | that client, by name | when it was shared |
 * | any | the firm wrote who, after the latest of these events | the firm's words | the firm's date |
 * | searches | a payment is under review, or paid and not ordered | Us | the payment |
 * | searches | ordered | the suppliers | the earliest order |
 * | searches | all returned | Us | the last result |
 * | signing, report | nothing is left to sign or read | Us | the last signature or reading |
 * | any other | | the party that usually does the step | the firm's date |
 */
export function waitingLine(step: StepUnderWay, facts: MatterFacts, viewerId: string): FullWaitingLine {
  const finding = findHolder(step, facts, viewerId);
  const ownLine =
    step.waitingFor === null || isOutdated(step, finding)
      ? null
      : { waiting_for: step.waitingFor, waiting_since: step.waitingSince };
  if (finding?.isCertain) {
    const isNew = ownLine && !mentions(finding.waiting_for, ownLine.waiting_for);
    return { ...asLine(finding), also_waiting: isNew ? ownLine : null };
  }
  return { ...(ownLine ?? lineWithoutOwnText(step, facts, finding)), also_waiting: null };
}

/** What staff need to know before they write their own words for a step under way. */
export interface DerivedWaiting {
  /** What clients read if the firm writes nothing. */
  waiting_for: string;
  /**
   * `certain`: the firm's words are added, until the next event. `known`: they replace it, until the next event.
   * `usual`: they replace it.
   */
  basis: 'certain' | 'known' | 'usual';
  /** Whether the firm's present words are not shown, because of a later event or because they start with “You”. */
  is_own_outdated: boolean;
}

/** Says what one client reads about a step under way without the firm's words, and what these would change. */
export function derivedWaiting(step: StepUnderWay, facts: MatterFacts, viewerId: string): DerivedWaiting {
  const finding = findHolder(step, facts, viewerId);
  return {
    waiting_for: lineWithoutOwnText(step, facts, finding).waiting_for,
    basis: finding === null ? 'usual' : finding.isCertain ? 'certain' : 'known',
    is_own_outdated: step.waitingFor !== null && isOutdated(step, finding),
  };
}

const lineWithoutOwnText = (step: StepUnderWay, facts: MatterFacts, finding: Finding | null): WaitingLine =>
  finding ? asLine(finding) : { waiting_for: usualHolder(step, facts), waiting_since: step.waitingSince };

const asLine = ({ waiting_for, waiting_since }: Finding): WaitingLine => ({ waiting_for, waiting_since });

/** Whether a line already has these words: “You, then Wessex Water” mentions “Wessex Water”. */
const mentions = (line: string, words: string): boolean =>
  ` ${line.replaceAll(',', '')} `.includes(` ${words.replaceAll(',', '')} `);

/** Whether something has happened since the firm wrote its words, or they repeat what the facts say better. */
function isOutdated({ waitingFor, waitingSetAt }: StepUnderWay, finding: Finding | null): boolean {
  if (!finding) return false;
  // The facts decide whether there is something left for the clients to do, and for which of them.
  if (waitingFor !== null && startsWithYou(waitingFor)) return true;
  return finding.lastEvent !== null && (waitingSetAt === null || waitingSetAt < finding.lastEvent);
}

function findHolder(step: StepUnderWay, facts: MatterFacts, viewerId: string): Finding | null {
  if (stepsOf.searches.includes(step.key)) return findSearchHolder(step, facts.searches);
  if (stepsOf.signing.includes(step.key)) return findSigner(facts, viewerId);
  if (stepsOf.reports.includes(step.key)) return findReader(facts, viewerId);
  return null;
}

/** The steps that searches, signatures and reports decide. */
export const stepsOf: Record<'searches' | 'signing' | 'reports', string[]> = {
  searches: ['searches_paid', 'searches_ordered', 'searches_received', 'searches_or_insurance'],
  signing: ['documents_signed', 'deed_signed', 'signed_by_all'],
  reports: ['report_sent'],
};

function findSearchHolder(step: StepUnderWay, searches: SearchFacts[]): Finding | null {
  if (searches.length === 0) return null;
  const having = (status: SearchFacts['status']) => searches.filter((search) => search.status === status);
  const pending = (heldBy: 'bank' | 'firm') =>
    searches.flatMap(({ pendingPayment }) => (pendingPayment?.heldBy === heldBy ? pendingPayment.since : []));
  const lastEvent = latest(
    searches.flatMap(({ paidAt, orderedAt, returnedAt, pendingPayment }) => [
      paidAt,
      orderedAt,
      returnedAt,
      pendingPayment?.since ?? null,
    ]),
  );
  const finding = (waiting_for: string, since: Date | null, isCertain = false): Finding => ({
    waiting_for,
    waiting_since: since && londonDay(since),
    isCertain,
    lastEvent,
  });

  const unpaid = having('awaiting_payment').filter(({ pendingPayment }) => pendingPayment === null);
  if (unpaid.length > 0) {
    const asked = finding(
      `You, then ${inWords(suppliersOf(unpaid))}`,
      earliest(unpaid.map(({ createdAt }) => createdAt)),
      true,
    );
    // The firm's date is about something else when the firm has written words too.
    return step.waitingSince && !step.waitingFor ? { ...asked, waiting_since: step.waitingSince } : asked;
  }
  if (pending('bank').length > 0) return finding('Your bank', earliest(pending('bank')), true);
  const toOrder = [...pending('firm'), ...having('paid').map(({ paidAt }) => paidAt)];
  if (toOrder.length > 0) return finding('Us', latest(toOrder));
  const ordered = having('ordered');
  if (ordered.length > 0) {
    return finding(inWords(suppliersOf(ordered)), earliest(ordered.map(({ orderedAt }) => orderedAt)));
  }
  return finding('Us', latest(searches.map(({ returnedAt }) => returnedAt)));
}

function findSigner({ documents, clients }: MatterFacts, viewerId: string): Finding | null {
  if (documents.length === 0) return null;
  const lastEvent = latest(
    documents.flatMap(({ signatures, receivedAt, originals }) => [
      receivedAt,
      ...originals.map((original) => original.receivedAt),
      ...signatures.map(({ signedAt }) => signedAt),
    ]),
  );
  const unfinished = documents.filter(
    ({ isOnPaper, isClosed, signatures, originals }) =>
      !isClosed &&
      clients.some(({ id }) => !(isOnPaper ? hasSent(originals, id) : hasSigned(signatures, id))),
  );
  if (unfinished.length === 0) return ours(lastEvent);
  const onScreen = unfinished.filter(({ isOnPaper }) => !isOnPaper);
  const signers = clients.filter(({ id }) => onScreen.some(({ signatures }) => !hasSigned(signatures, id)));
  const papers = unfinished.filter(({ isOnPaper }) => isOnPaper);
  const senders = clients.filter(({ id }) => papers.some(({ originals }) => !hasSent(originals, id)));
  const since = earliest(unfinished.map(({ sharedAt }) => sharedAt));
  return {
    waiting_for:
      papers.length > 0
        ? withPapers(
            { names: namesOf(signers, clients, viewerId), count: signers.length },
            // One paper may have everyone’s signature.
            senders.length === clients.length ? 'You' : namesOf(senders, clients, viewerId),
          )
        : namesOf(signers, clients, viewerId),
    waiting_since: since && londonDay(since),
    isCertain: true,
    lastEvent,
  };
}

/**
 * Names the signatures that are missing on the screen, if any, and the papers that the firm has not received.
 * @param senders whose papers those are: “You” also means everyone
 */
function withPapers({ names, count }: { names: string; count: number }, senders: string): string {
  const papers = senders === 'You' ? 'your signed papers' : `signed papers from ${youInside(senders)}`;
  if (count === 0) return papers.charAt(0).toUpperCase() + papers.slice(1);
  if (count > 1) return `Signatures from ${youInside(names)}, and ${papers}`;
  return `${names === 'You' ? 'Your' : `${names}’s`} signature and ${papers}`;
}

/** Names people inside of a sentence. */
const youInside = (names: string) => names.replace(/^You\b/, 'you');

const hasSigned = (signatures: DocumentFacts['signatures'], id: string) =>
  signatures.some(({ clientId }) => clientId === id);

const hasSent = (originals: DocumentFacts['originals'], id: string) =>
  originals.some(({ clientId }) => clientId === id);

function findReader({ reports, clients }: MatterFacts, viewerId: string): Finding | null {
  if (reports.length === 0) return null;
  const hasRead = (id: string) =>
    reports.every(
      ({ readBy, forClientId }) =>
        (forClientId !== null && forClientId !== id) || readBy.some(({ clientId }) => clientId === id),
    );
  const readers = clients.filter(({ id }) => !hasRead(id));
  const lastEvent = latest(reports.flatMap(({ readBy }) => readBy.map(({ readAt }) => readAt)));
  if (readers.length === 0) return ours(lastEvent);
  const since = earliest(reports.map(({ sharedAt }) => sharedAt));
  return {
    waiting_for: namesOf(readers, clients, viewerId),
    waiting_since: since && londonDay(since),
    isCertain: true,
    lastEvent,
  };
}

/** Nothing is left for the clients to do since their last act. */
const ours = (lastEvent: Date | null): Finding => ({
  waiting_for: 'Us',
  waiting_since: lastEvent && londonDay(lastEvent),
  isCertain: false,
  lastEvent,
});

/** The party that usually does the step; the lender by name where the firm has named it. */
function usualHolder({ key, actor }: StepUnderWay, { matterType, parties }: MatterFacts): string {
  const lender = lenderSteps.has(key) ? parties.find(({ role }) => role === 'lender') : undefined;
  return lender?.name ?? actorName({ key, actor }, matterType);
}

/** Steps of the lender that the matter names. A remortgage names the new lender, not the one to repay. */
const lenderSteps = new Set([
  'mortgage_offer_received',
  'redemption_figure',
  'lender_consent',
  'funds_requested',
]);

/** "You and Tom": the reader first, then first names, with the last name where two are the same. */
function namesOf(people: NamedClient[], everyone: NamedClient[], viewerId: string): string {
  const isShared = (name: string) => everyone.filter(({ firstName }) => firstName === name).length > 1;
  const others = people
    .filter(({ id }) => id !== viewerId)
    .map(({ firstName, lastName }) => (isShared(firstName) ? `${firstName} ${lastName}` : firstName));
  return inWords([...(people.some(({ id }) => id === viewerId) ? ['You'] : []), ...others]);
}

const suppliersOf = (searches: SearchFacts[]) => [...new Set(searches.map(({ supplier }) => supplier))];

/** "A", "A and B", "A, B and C" */
function inWords(names: string[]): string {
  if (names.length < 2) return names.join();
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const earliest = (dates: (Date | null)[]) => inOrder(dates)[0] ?? null;
const latest = (dates: (Date | null)[]) => inOrder(dates).at(-1) ?? null;
const inOrder = (dates: (Date | null)[]) =>
  dates.filter((date) => date !== null).sort((a, b) => a.getTime() - b.getTime());
