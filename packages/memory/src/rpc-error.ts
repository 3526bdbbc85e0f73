/** The one error a face sees, shared with the transport that sends it. */
export { RpcError } from 'tincan-wire';
