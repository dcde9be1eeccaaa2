export { formatMoney, formatRate } from '@keyturn/format/money';
