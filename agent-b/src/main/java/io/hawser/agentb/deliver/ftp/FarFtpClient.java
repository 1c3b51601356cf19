package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.core.ftp.AddressRanges;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPReply;
import org.apache.commons.net.io.CRLFLineReader;
import org.jspecify.annotations.Nullable;

/**
 * commons-net's client with connections protected by {@link LoginSecurity}, and with {@link #abandon}.
 *
 * <p>In stream mode a data connection always goes to the host of the control connection, whatever a 227 names: that is right for a server behind
 * NAT, and no server can make agent-b connect elsewhere.
 *
 * <p>Thread: one at a time; {@link #abandon} any.
 */
public final class FarFtpClient extends FTPClient {
    private static final String BYTE = "([0-9]{1,3})";
    private static final Pattern PASSIVE = Pattern.compile(String.join(",", BYTE, BYTE, BYTE, BYTE, BYTE, BYTE));
    private static final Pattern EXTENDED = Pattern.compile("\\|\\|\\|([0-9]{1,5})\\|");

    private final FarServer server;
    private final LoginSecurity security;
    private final int silenceMillis;
    private final AddressRanges dataHosts;
    private BoundedReplyInputStream replies = new BoundedReplyInputStream(InputStream.nullInputStream());
    private volatile @Nullable Socket plainControl;
    private volatile @Nullable Socket plainData;

    FarFtpClient(FarServer server, FarOptions options, LoginSecurity security) {
        this.server = server;
        this.security = security;
        this.silenceMillis =
                (int) Math.min(Integer.MAX_VALUE, options.timeouts().silence().toMillis());
        this.dataHosts = options.dataHosts();
        setControlEncoding(StandardCharsets.UTF_8.name());
        setConnectTimeout((int) options.timeouts().connect().toMillis());
        setDefaultTimeout(silenceMillis);
        setDataTimeout(options.timeouts().silence());
        setIpAddressFromPasvResponse(false);
    }

    /** Connects, demands a positive greeting, and protects the control connection. */
    void open() throws IOException {
        dial();
        enterLocalPassiveMode(); // connect() resets to active mode
        setSoTimeout(getDefaultTimeout());
        setKeepAlive(true);
        expect("the connection", getReplyCode());
        security.afterGreeting(this);
    }

    private void dial() throws IOException {
        try {
            connect(server.host(), server.port());
        } catch (IOException e) {
            String hint = security.missingGreetingHint();
            if (!hint.isEmpty() && e.getCause() instanceof SocketTimeoutException) {
                throw new IOException(hint, e);
            }
            throw e;
        }
    }

    @Override
    protected void _connectAction_() throws IOException {
        plainControl = _socket_;
        _socket_.setSoTimeout(getDefaultTimeout());
        _socket_ = security.secureControl(_socket_);
        replies = new BoundedReplyInputStream(_socket_.getInputStream());
        super._connectAction_(new InputStreamReader(replies, StandardCharsets.UTF_8));
    }

    @Override
    public int getReply() throws IOException {
        replies.nextReply();
        return super.getReply();
    }

    Socket control() {
        return _socket_;
    }

    /** Continues the control connection over {@code in} and {@code out}. */
    void replaceControl(Socket socket, InputStream in, OutputStream out) {
        _socket_ = socket;
        _input_ = in;
        _output_ = out;
        // A new reader: an attacker may have put bytes after the last reply in clear text, which go with the old one.
        replies = new BoundedReplyInputStream(in);
        _controlInput_ = new CRLFLineReader(new InputStreamReader(replies, StandardCharsets.UTF_8));
        _controlOutput_ = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    /** Sends a command and demands a reply that begins with 1, 2 or 3. */
    public String command(String verb, @Nullable String argument) throws IOException {
        return expect(verb, sendCommand(verb, argument));
    }

    private String expect(String asked, int code) throws IOException {
        if (code < 100 || code >= 400) {
            throw new FarRefusedException(asked, code, getReplyString());
        }
        return getReplyString();
    }

    /**
     * Asks for a passive data connection and begins a transfer.
     *
     * @param verb STOR, APPE, RETR, or a listing
     * @param offset where it resumes (REST), or 0
     * @throws FarRefusedException if the server does not begin it
     */
    public Socket beginTransfer(String verb, @Nullable String path, long offset) throws IOException {
        if (security.handshakesBeforeReply()) {
            return beginAuthenticated(verb, path, offset);
        }
        setRestartOffset(offset);
        Socket socket = _openDataConnection_(verb, path);
        if (socket == null) {
            throw new FarRefusedException(verb, getReplyCode(), getReplyString());
        }
        plainData = socket;
        return security.secureOutgoing(socket);
    }

    private Socket beginAuthenticated(String verb, @Nullable String path, long offset) throws IOException {
        InetSocketAddress address = passive();
        Socket socket = new Socket();
        plainData = socket;
        boolean begun = false;
        try {
            socket.connect(address, getConnectTimeout());
            socket.setSoTimeout(silenceMillis);
            if (offset > 0) {
                command("REST", Long.toString(offset));
            }
            DataHandshake handshake = DataHandshake.begin(security, socket);
            int code = sendCommand(verb, path);
            if (!FTPReply.isPositivePreliminary(code)) {
                throw handshake.reason(new FarRefusedException(verb, code, getReplyString()));
            }
            Socket secured = handshake.await();
            begun = true;
            return secured;
        } finally {
            if (!begun) {
                socket.close();
            }
        }
    }

    LoginSecurity security() {
        return security;
    }

    /**
     * Asks where to send MODE E blocks. Replaces an address that cannot be reached from here (private, while the control connection's is not) by
     * the control connection's. Another host must be one that the operator allowed: otherwise a hostile server could make this node send files to
     * anybody, or reach services that only this node reaches (RFC 2577 section 3).
     *
     * @throws FarRefusedException if the server names such a host, or no address at all
     */
    InetSocketAddress passive() throws IOException {
        InetAddress control = getRemoteAddress();
        boolean extended = control instanceof Inet6Address;
        String reply = command(extended ? "EPSV" : "PASV", null);
        Matcher port = EXTENDED.matcher(reply);
        if (extended && port.find()) {
            return new InetSocketAddress(control, Integer.parseInt(port.group(1)));
        }
        Matcher numbers = PASSIVE.matcher(reply);
        if (!numbers.find()) {
            throw new FarRefusedException("PASV", getReplyCode(), reply);
        }
        byte[] host = new byte[4];
        for (int i = 0; i < host.length; i++) {
            host[i] = (byte) Integer.parseInt(numbers.group(i + 1));
        }
        InetAddress named = InetAddress.getByAddress(host);
        boolean unreachable = named.isAnyLocalAddress()
                || (named.isLoopbackAddress() && !control.isLoopbackAddress())
                || (named.isSiteLocalAddress() && !control.isSiteLocalAddress());
        int number = (Integer.parseInt(numbers.group(5)) << 8 | Integer.parseInt(numbers.group(6))) & 0xFFFF;
        if (!unreachable && !named.equals(control) && !dataHosts.contains(named)) {
            throw new FarRefusedException(
                    "PASV",
                    getReplyCode(),
                    "the server at " + control.getHostAddress() + " names the host " + named.getHostAddress()
                            + " for its data, which is not allowed. If the server has several hosts, allow them by --into-data-hosts or"
                            + " --serve-data-hosts");
        }
        return new InetSocketAddress(unreachable ? control : named, number);
    }

    /** Tells the server where to dial for MODE E: PORT, or EPRT (RFC 2428). */
    void dialHere(InetSocketAddress address) throws IOException {
        boolean extended = address.getAddress() instanceof Inet6Address;
        int port = address.getPort();
        int code = extended ? eprt(address.getAddress(), port) : port(address.getAddress(), port);
        expect(extended ? "EPRT" : "PORT", code);
    }

    /** Waits for the reply that ends a transfer. */
    public void endTransfer(String verb) throws IOException {
        plainData = null;
        if (!FTPReply.isPositiveCompletion(getReply())) {
            throw new FarRefusedException(verb, getReplyCode(), getReplyString());
        }
    }

    /** Closes the plain sockets at once, without a TLS or FTP goodbye that could block. */
    void abandon() throws IOException {
        Socket data = plainData;
        if (data != null) {
            data.close();
        }
        Socket control = plainControl;
        if (control != null) {
            control.close();
        }
    }
}
