import type { Firm, Regulation } from '@keyturn/contract';
import { dataProtectionAuthority, ombudsmanText, regulatorTexts } from '@keyturn/format/regulators';
import { statutoryLine } from '@keyturn/format/statutory-line';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { mailtoUrl } from '@keyturn/ui/content/mail-address.ts';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { type ReactNode, useId } from 'react';
import { useServices } from '../../api/services/services.ts';
import { RecordingText } from '../../features/account/recording/recording-text.tsx';
import styles from './firm-pages.module.css';

/** The firm’s legal form, its regulator and its insurer. */
export function RegulationPage() {
  const { firm, regulation } = useFirm();
  const line =
    firm &&
    regulation &&
    statutoryLine({ ...regulation, trading_name: firm.name, regulator_number: firm.sra_number || null });
  const texts = regulation?.regulator && regulatorTexts[regulation.regulator];
  return (
    <>
      <PageHeading>Regulation</PageHeading>
      {line && <p>{line}</p>}
      <dl>
        {firm && <Fact name="Address">{firm.address.join(', ')}</Fact>}
        {firm && (
          <Fact name="Telephone">
            <PhoneLink phone={firm.phone} />
          </Fact>
        )}
        {regulation?.complaints_email && (
          <Fact name="Email for complaints">
            <MailLink address={regulation.complaints_email} />
          </Fact>
        )}
        {firm?.vat_number && <Fact name="VAT number">{firm.vat_number}</Fact>}
        {texts && (
          <>
            <Fact name="Check that we are regulated">
              <a href={texts.register.url}>{texts.register.name}</a>
            </Fact>
            <Fact name="The rules that apply to us">
              <a href={texts.rules.url}>{texts.rules.name}</a>
            </Fact>
          </>
        )}
        {regulation?.insurer_name && (
          <Fact name="Professional indemnity insurer">
            {[regulation.insurer_name, regulation.insurer_contact].filter(Boolean).join(', ')}
          </Fact>
        )}
        {regulation?.insurer_cover && (
          <Fact name="Where the insurance applies">{regulation.insurer_cover}</Fact>
        )}
      </dl>
      {regulation?.badge_url && <Badge url={regulation.badge_url} />}
      <OtherWays />
    </>
  );
}

/** The badge that the regulator’s supplier shows. It reads the origin of the page, to find the firm. */
const Badge = ({ url }: { url: string }) => (
  <Section title="Our regulator’s badge">
    <p>
      The badge is loaded from Yoshki, which provides it for our regulator and learns that this page was
      opened.
    </p>
    <iframe
      className={styles.badge}
      src={url}
      title="Our regulator’s badge"
      sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="origin"
    />
  </Section>
);

/** How to complain to the firm, then to the Legal Ombudsman and the regulator. */
export function ComplaintsPage() {
  const { firm, regulation } = useFirm();
  const texts = regulation?.regulator && regulatorTexts[regulation.regulator];
  const ombudsman = regulation?.ombudsman_text.length ? regulation.ombudsman_text : ombudsmanText;
  return (
    <>
      <PageHeading>Complaints</PageHeading>
      <p>If something is wrong, tell us. Complaining is free.</p>
      <Section title="Complain to us">
        <Contact name={regulation?.complaints_name} email={regulation?.complaints_email} firm={firm} />
        <p>We have eight weeks to send you our final response.</p>
      </Section>
      <Section title="The Legal Ombudsman">
        {ombudsman.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </Section>
      {texts && (
        <Section title={`The ${texts.name}`}>
          <p>
            You can also tell our regulator, the {texts.shortName}, about {texts.reports.about}.
          </p>
          <p>
            <a href={texts.reports.link.url}>{texts.reports.link.name}</a>
          </p>
        </Section>
      )}
      <OtherWays />
    </>
  );
}

/** The controller of personal data, and how to complain about its use (Data Protection Act 2018 section 164A). */
export function PrivacyPage() {
  const { firm, regulation } = useFirm();
  const { recordingChoice } = useServices();
  const { name, address, phone, link } = dataProtectionAuthority;
  return (
    <>
      <PageHeading>Privacy</PageHeading>
      <Section title="Your data">
        <p>
          {regulation?.legal_name &&
            `${regulation.legal_name} is the controller of the personal data that we hold about you. `}
          Ask us for a copy of our privacy notice.
        </p>
        <Contact
          name={regulation?.data_protection_name}
          email={regulation?.data_protection_email}
          firm={firm}
        />
      </Section>
      <Section title="Complain about how we use your data">
        <p>
          Write, email or call, in whatever form you like. We acknowledge your complaint within 30 days, and
          tell you without undue delay what we have found.
        </p>
        <p>
          You can also complain to the {name}: {address}, telephone <PhoneLink phone={phone} />.
        </p>
        <p>
          <a href={link.url}>{link.name}</a>
        </p>
      </Section>
      {regulation?.badge_url && (
        <Section title="Our regulator’s badge">
          <p>
            Only the page Regulation loads it, from Yoshki, which provides it for our regulator. Yoshki learns
            your IP address, and that you opened that page.
          </p>
        </Section>
      )}
      {recordingChoice.isOffered && (
        <Section title="Recordings">
          <RecordingText isQuestion />
        </Section>
      )}
      <OtherWays />
    </>
  );
}

/** The firm’s own terms, and what the dashboard is. */
export function TermsPage() {
  const { regulation } = useFirm();
  const terms = regulation?.terms ?? [];
  return (
    <>
      <PageHeading>Terms</PageHeading>
      <Section title="Our terms">
        {terms.length > 0 ? (
          <ul>
            {terms.map(({ name, url }) => (
              <li key={url}>
                <a href={url}>{name}</a>
              </li>
            ))}
          </ul>
        ) : (
          <p>Ask us for a copy of the terms on which we work for you.</p>
        )}
      </Section>
      <Section title="What these pages are">
        <p>
          Here you can follow your case, and read and sign documents. What we have agreed with you is in our
          terms, our letters, and what you sign or confirm here.
        </p>
      </Section>
      <OtherWays />
    </>
  );
}

/** Nothing is only in the dashboard. */
function OtherWays() {
  const { firm } = useFirm();
  return (
    <Section title="If you would rather not use these pages">
      <p>
        You don’t have to use these pages: you can deal with us by telephone, by post or in person. Tell us if
        you need something in another way, such as large print, or more time: we make reasonable adjustments.
      </p>
      {firm && (
        <p>
          <PhoneLink phone={firm.phone} />, {firm.opening_hours}
        </p>
      )}
    </Section>
  );
}

function Contact({
  name,
  email,
  firm,
}: {
  name: string | null | undefined;
  email: string | null | undefined;
  firm: Firm | null;
}) {
  return (
    <dl>
      {name && <Fact name="To">{name}</Fact>}
      {email && (
        <Fact name="Email">
          <MailLink address={email} />
        </Fact>
      )}
      {firm && (
        <>
          <Fact name="Telephone">
            <PhoneLink phone={firm.phone} />
          </Fact>
          <Fact name="Post">
            {firm.name}, {firm.address.join(', ')}
          </Fact>
        </>
      )}
    </dl>
  );
}

const MailLink = ({ address }: { address: string }) => <a href={mailtoUrl(address)}>{address}</a>;

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface ShownFirm {
  firm: Firm | null;
  regulation: Regulation | null;
  product_name: string;
}

const useFirm = (): ShownFirm => useServices().config;
