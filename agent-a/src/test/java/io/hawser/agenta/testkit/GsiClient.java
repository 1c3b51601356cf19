package io.hawser.agenta.testkit;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.token.GsiExchange;
import io.hawser.gsi.token.GsiInitiator;
import io.hawser.gsi.token.PeerCheck;
import io.hawser.gsi.token.TlsRecordHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** A GSI client that says exactly what a test wants it to say, and when. */
public final class GsiClient extends FtpClient {
    /** The same connection in clear. */
    public final RawFtp clear;

    private final Credential own;
    private final PeerValidator trust;
    private GsiExchange exchange;

    private GsiClient(RawFtp clear, Credential own, PeerValidator trust, Delegation delegation) throws GsiException {
        this.clear = clear;
        this.own = own;
        this.trust = trust;
        this.exchange = GsiInitiator.ofLogin(own, trust, PeerCheck.host("localhost"), delegation, Duration.ofHours(1));
    }

    /** Connected and greeted; nothing is said yet. */
    public static GsiClient connect(int port, Credential own, PeerValidator trust, Delegation delegation)
            throws Exception {
        return new GsiClient(RawFtp.connect(port), own, trust, delegation);
    }

    /** Says AUTH and the first ADAT, and leaves, perhaps without its reply. */
    public void leaveInTheMiddle(boolean awaitReply) throws Exception {
        clear.expect("AUTH GSSAPI", 334);
        clear.send("ADAT " + Base64.getEncoder().encodeToString(exchange.step(new byte[0])));
        if (awaitReply) {
            clear.expect(335);
        }
        clear.close();
    }

    /** Says AUTH and ADAT up to the last one, which is returned and not sent. */
    public String lastToken() throws Exception {
        clear.expect("AUTH GSSAPI", 334);
        byte[] token = exchange.step(new byte[0]);
        while (!exchange.isDone()) {
            String reply = clear.expect("ADAT " + Base64.getEncoder().encodeToString(token), 335);
            token = exchange.step(Base64.getDecoder().decode(reply.substring("335 ADAT=".length())));
        }
        return "ADAT " + Base64.getEncoder().encodeToString(token);
    }

    /** Authenticates. */
    public GsiClient authenticate() throws Exception {
        clear.expect(lastToken(), 235);
        return this;
    }

    /** Logs in to the account that the certificate is mapped to. */
    public GsiClient logIn() throws Exception {
        authenticate();
        logIn(":globus-mapping:");
        return this;
    }

    @Override
    public void send(String line) throws IOException {
        send("ENC", line + "\r\n");
    }

    /** Sends a command in another wrapping. */
    public void send(String wrapping, String text) throws IOException {
        try {
            byte[] token = exchange.wrap(text.getBytes(StandardCharsets.UTF_8));
            clear.send(wrapping + " " + Base64.getEncoder().encodeToString(token));
        } catch (GsiException e) {
            throw new IOException(e);
        }
    }

    /** {@inheritDoc} They are unwrapped and have their ends. */
    @Override
    public String reply() throws IOException {
        String lines = clear.expect(632);
        StringBuilder all = new StringBuilder();
        for (String line : lines.split("\n")) {
            byte[] token =
                    Base64.getDecoder().decode(line.substring("632 ".length()).strip());
            try {
                all.append(new String(exchange.unwrap(token), StandardCharsets.UTF_8));
            } catch (GsiException e) {
                throw new IOException(e);
            }
        }
        return all.toString();
    }

    /** Authenticates a data connection that this end has opened, as {@code who}. */
    public void authenticate(Socket data, Credential who) throws Exception {
        GsiExchange tokens = GsiInitiator.ofData(who, trust, PeerCheck.identity(own.identity()));
        DataInputStream in = new DataInputStream(data.getInputStream());
        byte[] token = tokens.step(new byte[0]);
        data.getOutputStream().write(token);
        while (!tokens.isDone()) {
            data.getOutputStream().write(tokens.step(record(in)));
        }
    }

    private static byte[] record(DataInputStream in) throws IOException, GsiException {
        byte[] header = new byte[TlsRecordHeader.BYTES];
        in.readFully(header);
        byte[] record = java.util.Arrays.copyOf(header, TlsRecordHeader.BYTES + TlsRecordHeader.contentLength(header));
        in.readFully(record, TlsRecordHeader.BYTES, record.length - TlsRecordHeader.BYTES);
        return record;
    }

    @Override
    public void close() throws IOException {
        clear.close();
    }
}
