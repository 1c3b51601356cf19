package io.hawser.ops.event;

import io.hawser.core.config.ConfigException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs webhooks as Standard Webhooks 1.0 says, with a symmetric secret: {@code v1,} and the HMAC-SHA256, in base64, of id, timestamp and
 * body, joined by dots.
 *
 * <p>Thread: any.
 */
final class WebhookSignature {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MIN_SECRET_BYTES = 24;
    private static final int MAX_SECRET_BYTES = 64;

    private final byte[] secret;

    private WebhookSignature(byte[] secret) {
        this.secret = secret;
    }

    /**
     * Reads a secret: base64 of 24 to 64 bytes, with the prefix {@code whsec_} or without.
     *
     * @throws ConfigException if it is none
     */
    static WebhookSignature parse(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text);
            if (bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES) {
                return new WebhookSignature(bytes);
            }
        } catch (IllegalArgumentException e) {
            // told below
        }
        throw new ConfigException("a webhook's secret is whsec_ and base64 of " + MIN_SECRET_BYTES + " to "
                + MAX_SECRET_BYTES + " bytes; make one with: echo whsec_$(openssl rand -base64 32)");
    }

    String sign(String id, long epochSeconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update((id + "." + epochSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " is in every JDK", e);
        }
    }
}
