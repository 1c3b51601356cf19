package io.hawser.agentb.deliver;

import io.hawser.gsi.credential.Delegation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How agent-b logs in at a {@code gsiftp://} server.
 *
 * @param files agent-b's credential and the CAs that it trusts
 * @param legacyProxies whether GT2 proxies are accepted
 * @param server the name that the server's certificate must have, in the slash form; empty for one that names the URL's host
 * @param proxy what the server gets for its data connections
 * @param data how data connections are protected
 * @param asUser whether agent-b delivers each object as the user who uploaded it, with the credential that came along
 */
public record GridOptions(
        Files files, boolean legacyProxies, Optional<String> server, Proxy proxy, DataLevel data, boolean asUser) {

    /**
     * The files of GSI.
     *
     * @param certificate agent-b's certificate chain, or a proxy
     * @param key its private key; may be the same file
     * @param trusted the directory of the trusted CAs
     */
    public record Files(Path certificate, Path key, Path trusted) {}

    /**
     * The proxy that agent-b signs for the server.
     *
     * @param delegation its kind, or none
     * @param lifetime how long it is valid
     */
    public record Proxy(Delegation delegation, Duration lifetime) {}

    /** How data connections are protected. */
    public enum DataLevel {
        /** Both ends authenticate, then send in clear text: DCAU A, PROT C. */
        AUTHENTICATED,
        /** Both ends authenticate, then encrypt: DCAU A, PROT P. */
        PRIVATE,
        /** Not at all: DCAU N. */
        CLEAR
    }
}
