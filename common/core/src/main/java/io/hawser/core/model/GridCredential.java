package io.hawser.core.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A grid user's credential that travels with an upload, sealed for the far end, as attributes of the manifest.
 *
 * @param identity the user's distinguished name in the slash form
 * @param expiresMillis when it expires, milliseconds since the epoch
 * @param sealed the credential itself, which only the far end can open, in base64
 */
public record GridCredential(String identity, long expiresMillis, String sealed) {
    public static GridCredential sealed(String identity, long expiresMillis, byte[] sealed) {
        return new GridCredential(identity, expiresMillis, Base64.getEncoder().encodeToString(sealed));
    }

    /** The sealed bytes; empty if they are not base64. */
    public byte[] sealedBytes() {
        try {
            return Base64.getDecoder().decode(sealed);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** As many characters as a manifest can carry besides its names. */
    public static final int MAX_SEALED_LENGTH = 20_000;

    private static final int PART_LENGTH = 4_000;
    private static final int MAX_PARTS = 5;

    /**
     * The purpose that a credential is sealed for: this transfer and this user only.
     *
     * @param name see {@link Manifest#name()}
     */
    public static byte[] purpose(TransferKey key, Topic topic, TransferKind kind, String name, String identity) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String part :
                new String[] {"hawser-grid-credential", key.toString(), topic.name(), kind.name(), name, identity}) {
            bytes.writeBytes(part.getBytes(StandardCharsets.UTF_8));
            bytes.write(0); // a byte that none of them contains
        }
        return bytes.toByteArray();
    }

    /** The purpose of this manifest's credential. */
    public byte[] purpose(Manifest manifest) {
        return purpose(manifest.key(), manifest.topic(), manifest.kind(), manifest.name(), identity);
    }

    /** The manifest's attributes for it. {@link IllegalArgumentException} if it is too large. */
    public Map<String, String> attributes() {
        if (sealed.length() > MAX_SEALED_LENGTH) {
            throw new IllegalArgumentException("a sealed credential of " + sealed.length() + " characters; at most "
                    + MAX_SEALED_LENGTH + " travel");
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(Attributes.GRID_IDENTITY, identity);
        attributes.put(Attributes.GRID_EXPIRES_MILLIS, Long.toString(expiresMillis));
        for (int part = 0; part * PART_LENGTH < sealed.length(); part++) {
            attributes.put(
                    Attributes.GRID_CREDENTIAL + part,
                    sealed.substring(part * PART_LENGTH, Math.min(sealed.length(), (part + 1) * PART_LENGTH)));
        }
        return attributes;
    }

    /** The credential of a transfer; empty if it has none, or none that can be read. */
    public static Optional<GridCredential> of(Manifest manifest) {
        Map<String, String> attributes = manifest.attributes();
        String identity = attributes.get(Attributes.GRID_IDENTITY);
        String expires = attributes.getOrDefault(Attributes.GRID_EXPIRES_MILLIS, "");
        if (identity == null || !expires.matches("[0-9]{1,15}")) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        for (int part = 0; part < MAX_PARTS; part++) {
            text.append(attributes.getOrDefault(Attributes.GRID_CREDENTIAL + part, ""));
        }
        return Optional.of(new GridCredential(identity, Long.parseLong(expires), text.toString()));
    }
}
