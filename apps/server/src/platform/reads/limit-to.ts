/** Creates a function that keeps only the fields that the contract has, for values of JSON columns. */
export function limitTo<Entity extends object>(schema: {
  properties: { [Name in keyof Entity]: unknown };
}): (value: Entity) => Entity {
  const names = Object.keys(schema.properties) as (keyof Entity)[];
  return (value) => Object.fromEntries(names.map((name) => [name, value[name]])) as Entity;
}
