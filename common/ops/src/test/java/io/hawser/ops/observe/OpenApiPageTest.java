package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenApiPageTest {
    private static JsonNode document() throws IOException {
        return Json.tree(new OpenApiPage().get(Map.of()).body().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void eachWarningCodeIsThereWithItsRemedy() throws IOException {
        JsonNode schema = document().at("/components/schemas/WarningCode");
        List<String> codes = Json.readList(Json.bytes(schema.path("enum")), String.class);
        assertThat(codes)
                .containsExactlyElementsOf(Arrays.stream(WarningCode.values())
                        .map(WarningCode::word)
                        .toList());
        assertThat(codes).doesNotHaveDuplicates();
        String told = schema.path("description").asText();
        Arrays.stream(WarningCode.values())
                .filter(code -> !code.word().startsWith("stalled."))
                .forEach(code -> assertThat(told).contains("- `" + code.word() + "`: " + code.remedy() + "\n"));
    }

    @Test
    void referencesLeadSomewhere() throws IOException {
        JsonNode document = document();
        List<String> references = document.findValuesAsText("$ref");
        assertThat(references).hasSizeGreaterThan(20).allSatisfy(reference -> assertThat(
                        document.at(reference.substring(1)).isMissingNode())
                .as(reference)
                .isFalse());
    }

    @Test
    void aCallerWithoutRightsMayReadIt() throws IOException {
        Caller nobody = new Caller("nobody", new Access(Identity.UNKNOWN, Grants.NONE));
        assertThat(new OpenApiPage().get(Map.of(), nobody).status()).isEqualTo(200);
    }
}
