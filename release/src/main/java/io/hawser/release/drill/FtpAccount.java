package io.hawser.release.drill;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPReply;
import org.apache.commons.net.ftp.FTPSClient;
import org.jspecify.annotations.Nullable;

/**
 * Where and as whom the drill talks FTP.
 *
 * @param directory where canaries go, as the account sees it; ends with a slash
 * @param tls trust for AUTH TLS, or null for clear text
 */
record FtpAccount(
        HostPort address,
        String user,
        String password,
        String directory,
        @Nullable SSLContext tls) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** On the user's own machine, where agent-a lets everybody in. */
    static FtpAccount anonymous(HostPort address) {
        return new FtpAccount(address, "anonymous", "drill@hawser", "/", null);
    }

    String path(String name) {
        return directory + name;
    }

    /** Connects and logs in: binary, passive. */
    FTPClient open() throws IOException {
        FTPClient client = tls == null ? new FTPClient() : new FTPSClient(tls);
        client.setControlEncoding("UTF-8");
        client.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        client.setDefaultTimeout((int) TIMEOUT.toMillis());
        client.setDataTimeout(TIMEOUT);
        try {
            client.connect(address.host(), address.port());
            require(FTPReply.isPositiveCompletion(client.getReplyCode()), client);
            require(client.login(user, password), client);
            if (client instanceof FTPSClient secured) {
                secured.execPBSZ(0);
                secured.execPROT("P");
            }
            client.enterLocalPassiveMode();
            require(client.setFileType(FTP.BINARY_FILE_TYPE), client);
            return client;
        } catch (IOException e) {
            close(client);
            throw e;
        }
    }

    /** Hangs up. */
    static void close(@Nullable FTPClient client) {
        if (client == null) {
            return;
        }
        try {
            client.disconnect();
        } catch (IOException e) {
            return; // it was broken already
        }
    }

    private static void require(boolean good, FTPClient client) throws IOException {
        if (!good) {
            throw new IOException("agent-a answered " + client.getReplyString().strip());
        }
    }

    @Override
    public String toString() {
        return "ftp://" + user + "@" + address + directory;
    }
}
