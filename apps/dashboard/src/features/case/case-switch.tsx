import { useClient, useSwitchCase } from '../../api/queries.ts';

export function CaseSwitch() {
  const { data } = useClient();
  const { mutate } = useSwitchCase();
  if (!data || data.cases.length < 2) return null;
  return (
    <button onClick={() => mutate(data.cases[0]?.id ?? '')} type="button">
      {data.active_case?.reference}
    </button>
  );
}
