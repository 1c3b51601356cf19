package io.hawser.release.process;

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
 * An FTP server, and the account that a client of these programs has there.
 *
 * @param directory where files go, as the account sees it; ends with a slash
 * @param tls trust for AUTH TLS, or null for clear text
 */
public record FtpAccount(
        HostPort address,
        String user,
        String password,
        String directory,
        @Nullable SSLContext tls) {
    /** On the user's own machine, where agent-a lets everybody in. */
    public static FtpAccount anonymous(HostPort address) {
        return new FtpAccount(address, "anonymous", "client@hawser", "/", null);
    }

    public String path(String name) {
        return directory + name;
    }

    /** Connects and logs in, with the timeouts of a client that can try again. */
    public FTPClient open() throws IOException {
        return open(Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    /**
     * Connects and logs in: binary, passive.
     *
     * @param connectTimeout 0 for none
     * @param timeout for each reply and each read of data
     */
    public FTPClient open(Duration connectTimeout, Duration timeout) throws IOException {
        FTPClient client = tls == null ? new FTPClient() : new FTPSClient(tls);
        client.setControlEncoding("UTF-8");
        client.setConnectTimeout((int) connectTimeout.toMillis());
        client.setDefaultTimeout((int) timeout.toMillis());
        client.setDataTimeout(timeout);
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

    public static void close(@Nullable FTPClient client) {
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
