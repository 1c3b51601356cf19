package io.hawser.ops.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses a body before it is sent, in the lane that made it. So the loop does not compress, a body that waits for a slow reader is small, and no
 * compressor's state (a quarter of a MiB) waits with it.
 *
 * <p>Thread: any.
 */
final class Gzip {
    /** Shorter bodies fit into a few packets uncompressed. */
    private static final int MIN_BYTES = 4 << 10;

    private static final String ENCODING = "Content-Encoding";

    private Gzip() {}

    /** The same response, compressed if the peer accepts gzip and the body is long enough. */
    static Response apply(Request request, Response response) {
        if (!(response.body() instanceof BytesBody whole)
                || whole.lengthBytes() < MIN_BYTES
                || !isText(response.contentType())
                || response.headers().containsKey(ENCODING)) {
            return response;
        }
        Response varying = response.with("Vary", "Accept-Encoding");
        if (!isAccepted(String.join(",", request.headers("Accept-Encoding")))) {
            return varying;
        }
        Response encoded = varying.with(ENCODING, "gzip");
        return new Response(encoded.status(), encoded.headers(), ResponseBody.of(compressed(whole.bytes())));
    }

    private static boolean isText(String contentType) {
        return contentType.startsWith("text/") || contentType.startsWith("application/json");
    }

    /** RFC 9110 section 12.5.3: gzip is named, or covered by {@code *}, and its weight is not 0. */
    static boolean isAccepted(String acceptEncoding) {
        boolean any = false;
        for (String each : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = each.split(";");
            String coding = parts[0].strip();
            boolean wanted = parts.length < 2 || !parts[1].strip().matches("q\\s*=\\s*0(\\.0*)?");
            if (coding.equals("gzip") || coding.equals("x-gzip")) {
                return wanted;
            }
            any |= coding.equals("*") && wanted;
        }
        return any;
    }

    private static byte[] compressed(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return out.toByteArray();
    }
}
