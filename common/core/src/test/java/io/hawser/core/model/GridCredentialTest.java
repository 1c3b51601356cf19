package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridCredentialTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private static Manifest manifest(Map<String, String> attributes) {
        return new Manifest(KEY, 1, new Topic("t"), TransferKind.FILE, "a/b", List.of("a/b"), 5, 1 << 20, attributes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2_999, 3_000, 3_001, 6_000, 15_000})
    void comesOutOfAManifestAsItWentIn(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);

        GridCredential told = GridCredential.of(manifest(
                        GridCredential.sealed("/O=Grid/CN=Anna", 99, bytes).attributes()))
                .orElseThrow();

        assertThat(told.identity()).isEqualTo("/O=Grid/CN=Anna");
        assertThat(told.expiresMillis()).isEqualTo(99);
        assertThat(told.sealedBytes()).isEqualTo(bytes);
    }

    @Test
    void whatIsTooLargeDoesNotTravel() {
        assertThatThrownBy(() ->
                        GridCredential.sealed("/CN=Anna", 99, new byte[15_001]).attributes())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatCannotBeReadIsNone() {
        Map<String, String> good =
                new HashMap<>(GridCredential.sealed("/CN=Anna", 99, new byte[9]).attributes());
        assertThat(GridCredential.of(manifest(Map.of()))).isEmpty();
        good.put(Attributes.GRID_EXPIRES_MILLIS, "soon");
        assertThat(GridCredential.of(manifest(good))).isEmpty();
        good.put(Attributes.GRID_EXPIRES_MILLIS, "99");
        good.put(Attributes.GRID_CREDENTIAL + 0, "no base64");
        assertThat(GridCredential.of(manifest(good)).orElseThrow().sealedBytes())
                .isEmpty();
    }

    @Test
    void purposeTellsTransfersAndUsersApart() {
        Topic topic = new Topic("t");
        byte[] one = GridCredential.purpose(KEY, topic, TransferKind.FILE, "a", "/CN=Anna");

        assertThat(one).isNotEqualTo(GridCredential.purpose(KEY, topic, TransferKind.FILE, "a", "/CN=Ben"));
        assertThat(one).isNotEqualTo(GridCredential.purpose(KEY, topic, TransferKind.FILE, "b", "/CN=Anna"));
        assertThat(one).isNotEqualTo(GridCredential.purpose(KEY, topic, TransferKind.DELETE, "a", "/CN=Anna"));
        assertThat(one)
                .isNotEqualTo(GridCredential.purpose(
                        new TransferKey(new NodeId(1, 2), new TransferId(3, 5)),
                        topic,
                        TransferKind.FILE,
                        "a",
                        "/CN=Anna"));
    }
}
