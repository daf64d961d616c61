// An issuer of sign-ins by the npm package oidc-provider, whose pages ask for a name and any password.
// Arguments: path of the package, port, address to return to, file with the people's claims by name (read at each use).
import { readFileSync } from "node:fs";

const [, , from, port, returnTo, people] = process.argv;
const { Provider } = await import(from);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: "dynabench", client_secret: "secret-of-the-client", redirect_uris: [returnTo] }],
  claims: {
    openid: ["sub"],
    email: ["email", "email_verified"],
    profile: ["preferred_username", "groups"],
  },
  pkce: { required: () => true },
  findAccount: (_context, name) => {
    const claims = JSON.parse(readFileSync(people, "utf8"))[name];
    return claims && { accountId: name, claims: () => ({ sub: name, ...claims }) };
  },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
