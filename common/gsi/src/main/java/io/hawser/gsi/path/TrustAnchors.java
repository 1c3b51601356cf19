package io.hawser.gsi.path;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The trusted CAs, as read at one time. */
public final class TrustAnchors {
    private final Map<X509Certificate, Authority> authorities;

    public TrustAnchors(Collection<Authority> authorities) {
        this.authorities = authorities.stream()
                .collect(Collectors.toUnmodifiableMap(Authority::certificate, authority -> authority, (a, b) -> a));
    }

    Optional<Authority> authority(X509Certificate certificate) {
        return Optional.ofNullable(authorities.get(certificate));
    }

    /** The roots, or the intermediate CAs. */
    List<X509Certificate> certificates(boolean roots) {
        return authorities.values().stream()
                .filter(authority -> authority.isRoot() == roots)
                .map(Authority::certificate)
                .toList();
    }

    public int size() {
        return authorities.size();
    }
}
