"""The signature of an archive, as it comes with the wish to send one."""

from dynabench_common.http.schemas import Input, Text
from pydantic import Field, field_validator

from registry.domain.submission import Signature


class SignatureBody(Input):
    """A signature from `dynabench models sign`, and the signer's public key."""

    bundle: Text = Field(min_length=1, max_length=50_000, description="Content of the file FILE.sig")
    public_key: Text = Field(
        min_length=1, max_length=5_000, description="The elliptic-curve public key in PEM"
    )

    @field_validator("bundle", "public_key")
    @classmethod
    def _is_not_private(cls, value: str) -> str:
        """Refuse a private key that was taken for the public one, and store nothing of it."""
        if "PRIVATE KEY-----" in value:
            raise ValueError("this is a private key; keep it to yourself, and send the public one")
        return value

    def signature(self) -> Signature:
        """Return the signature."""
        return Signature(self.bundle, self.public_key)
