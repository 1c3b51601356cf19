package io.hawser.ops.keys;

import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.Invitations.Welcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Reads and writes the messages of enrolment, version 1: one line from the caller, one answer.
 *
 * <pre>
 *   caller:  JOIN1 SP id SP secret SP base64(PKCS#10) LF
 *   server:  OK LF role LF name LF base64(certificate) LF base64(ca.crt) LF base64(ca.crl) LF      or      NO SP sentence LF
 * </pre>
 */
final class JoinMessages {
    private static final String WORD = "JOIN1";
    private static final String OK = "OK";
    private static final String NO = "NO ";
    private static final int ANSWER_LINES = 6;

    private JoinMessages() {}

    /**
     * @param id of an invitation, as the caller gives it
     * @param encoded the PKCS#10 request in base64
     */
    record Request(String id, String secret, String encoded) {
        /** Its PKCS#10 request (DER). */
        byte[] pkcs10() throws NotInvitedException {
            try {
                return Base64.getDecoder().decode(encoded);
            } catch (IllegalArgumentException e) {
                throw new NotInvitedException("the request is not PKCS#10");
            }
        }

        /** For logs: without the secret. */
        @Override
        public String toString() {
            return JoinToken.isId(id) ? "invitation " + id : "-";
        }
    }

    /** The caller's line, with its end. */
    static byte[] request(JoinToken token, byte[] pkcs10) {
        String encoded = Base64.getEncoder().encodeToString(pkcs10);
        return (String.join(" ", WORD, token.id(), token.secret(), encoded) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads the caller's line, without its end. */
    static Request request(String line) throws NotInvitedException {
        String[] words = line.split(" ", -1);
        if (words.length == 4 && words[0].equals(WORD)) {
            return new Request(words[1], words[2], words[3]);
        }
        throw new NotInvitedException(
                words[0].matches("JOIN[0-9]{1,9}") && !words[0].equals(WORD)
                        ? "your version of Hawser sends " + words[0] + "; this server understands " + WORD
                        : "that is not a request to join; use 'hawser join'");
    }

    /** The server's answer to an invited node. */
    static byte[] answer(Welcome welcome) {
        return text(String.join(
                "\n",
                OK,
                welcome.role().fileName(),
                welcome.name(),
                base64(welcome.certificate()),
                base64(welcome.ca()),
                base64(welcome.revocations())));
    }

    /** The server's answer to any other caller. */
    static byte[] refusal(String reason) {
        return text(NO + reason);
    }

    /**
     * @throws NotInvitedException with the server's sentence, if it refuses
     * @throws IOException if the answer is malformed or incomplete
     */
    static Welcome answer(byte[] bytes) throws IOException, NotInvitedException {
        String answer = new String(bytes, StandardCharsets.UTF_8);
        if (answer.startsWith(NO)) {
            throw new NotInvitedException(
                    answer.substring(NO.length()).strip().replaceAll("[\\p{Cntrl}\\u0080-\\u009f]+", " "));
        }
        List<String> lines = List.of(answer.split("\n", -1));
        if (lines.size() != ANSWER_LINES + 1 || !lines.get(0).equals(OK)) {
            throw new IOException("the answer is incomplete; if the invitation counts as used now, ask for a new one");
        }
        if (!CertificateAuthority.isName(lines.get(2))) {
            throw new IOException("the answer is damaged: it has no name");
        }
        return new Welcome(
                Invitations.role(lines.get(1)),
                lines.get(2),
                decoded(lines.get(3)),
                decoded(lines.get(4)),
                decoded(lines.get(5)));
    }

    private static byte[] text(String text) {
        return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String decoded(String base64) throws IOException {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            return StandardCharsets.US_ASCII.newDecoder().decode(bytes).toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw new IOException("the answer is damaged", e);
        }
    }
}
