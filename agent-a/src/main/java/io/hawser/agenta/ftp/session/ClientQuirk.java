package io.hawser.agenta.ftp.session;

import java.util.Locale;
import java.util.Optional;

/** What some clients do that must be known to serve them well. */
public enum ClientQuirk {
    /**
     * ncftpput -R asks with CWD whether a directory exists and sends MKD only when that fails. Since CWD is allowed into any
     * directory here, an empty directory of the tree would never arrive. So for this client CWD into a directory that is not
     * known makes it.
     */
    MAKES_NO_DIRECTORY_THAT_IT_CAN_ENTER("ncftpput");

    private final String clientPrefix;

    ClientQuirk(String clientPrefix) {
        this.clientPrefix = clientPrefix;
    }

    /** The quirk of the client that calls itself {@code name} in CLNT. */
    public static Optional<ClientQuirk> of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (ClientQuirk quirk : values()) {
            if (lower.startsWith(quirk.clientPrefix)) {
                return Optional.of(quirk);
            }
        }
        return Optional.empty();
    }
}
