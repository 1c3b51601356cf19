package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.hawser.ops.observe.Json;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code /openapi.json} says what the three nodes serve: the addresses, and each field with its type. */
class OpenApiIT extends Scenario {
    private final HttpClient http = HttpClient.newHttpClient();
    private JsonNode document;

    private HttpResponse<String> ask(Part part, String method, String path) throws Exception {
        URI uri = URI.create("http://" + chain.admin(part).orElseThrow() + path);
        return http.send(
                HttpRequest.newBuilder(uri)
                        .header("Accept", "text/plain, application/json")
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private static JsonNode tree(String text) throws IOException {
        return Json.tree(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The addresses that the document names for a node. */
    private Set<String> described(Part part, String method) {
        Set<String> paths = new TreeSet<>();
        document.path("paths").properties().forEach(path -> {
            for (JsonNode node : path.getValue().path(method).path("x-hawser-nodes")) {
                if (node.asText().equals(part.command())) {
                    paths.add(path.getKey());
                }
            }
        });
        return paths;
    }

    private static Set<String> listed(String index, String line) {
        return Pattern.compile("(?m)^" + line + ": (.*)$")
                .matcher(index)
                .results()
                .flatMap(found -> List.of(found.group(1).split(" ")).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The document with nothing allowed that it does not name, so that an answer with another field is wrong. */
    private static void closeObjects(JsonNode schema) {
        if (schema instanceof ObjectNode object && object.has("properties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(OpenApiIT::closeObjects);
    }

    private void fits(String path, String method, HttpResponse<String> response) throws IOException {
        JsonNode content = document.path("paths")
                .path(path)
                .path(method)
                .path("responses")
                .path(Integer.toString(response.statusCode()))
                .path("content")
                .path("application/json");
        assertThat(content.isMissingNode())
                .as(path + " " + response.statusCode())
                .isFalse();
        ObjectNode schema = content.path("schema").deepCopy();
        schema.set("components", document.path("components").deepCopy());
        closeObjects(schema.path("components").path("schemas"));
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(schema)
                        .validate(tree(response.body())))
                .as(path + " answers " + response.body())
                .isEmpty();
    }

    @Test
    void itNamesAllAddressesAndAllFieldsWithTheirTypes() throws Exception {
        chain.startAll();
        document = tree(ask(Part.BROKER, "GET", "/openapi.json").body());
        for (Part part : Part.values()) {
            assertThat(tree(ask(part, "GET", "/openapi.json").body())).isEqualTo(document);
            String index = ask(part, "GET", "/").body();
            Set<String> pages = listed(index, "pages");
            pages.add("/session"); // it is the web page's own
            assertThat(pages).as(part + " pages").isEqualTo(described(part, "get"));
            assertThat(listed(index, "changes by POST")).as(part + " changes").isEqualTo(described(part, "post"));
        }
        populate();

        List<String> compared = new ArrayList<>();
        for (Part part : Part.values()) {
            for (String path : described(part, "get")) {
                boolean isJson = !document.path("paths")
                        .path(path)
                        .at("/get/responses/200/content/application~1json")
                        .isMissingNode();
                if (isJson) {
                    fits(path, "get", ask(part, "GET", path + query(part, path)));
                    compared.add(path);
                }
            }
        }
        assertThat(compared).contains("/health", "/transfers", "/subscriptions", "/replicas", "/quotas", "/dead");
        changes();
    }

    private String query(Part part, String path) throws IOException {
        return switch (path) {
            case "/replicas" -> "?name=delivered";
            case "/why" -> "?key=" + chain.status(part, "taken").orElseThrow().key();
            default -> "";
        };
    }

    /** So that lists are not empty: a delivered file, a dead letter, one that is owed. */
    private void populate() throws Exception {
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "delivered");
        awaitDelivered(source, "delivered");
        assertThat(ask(Part.BROKER, "GET", "/subscriptions").body()).contains("\"pendingBytes\"");
        chain.kill(Part.AGENT_B);
        Files.createDirectories(delivered("taken/inside"));
        upload(source, "taken");
        chain.start(Part.AGENT_B);
        await("a dead letter")
                .until(() -> !tree(ask(Part.AGENT_B, "GET", "/dead").body()).isEmpty());
        await("the receipt").until(() -> receipts("taken", "dead") == 1);
    }

    private void changes() throws Exception {
        fits("/loggers", "post", ask(Part.AGENT_A, "POST", "/loggers?name=io.hawser&level=debug"));
        fits("/loggers", "get", ask(Part.AGENT_A, "GET", "/loggers?name=io.hawser"));
        fits("/dead/drop", "post", ask(Part.AGENT_B, "POST", "/dead/drop?id=all"));
        chain.kill(Part.AGENT_B);
        Path source = sample("owed", MIB, 2);
        upload(source, "owed");
        await("it is owed").until(() -> chain.status(Part.BROKER, "owed")
                .filter(status -> status.state().equals("committed"))
                .isPresent());
        String key = chain.status(Part.BROKER, "owed").orElseThrow().key();
        fits("/transfers", "get", ask(Part.BROKER, "GET", "/transfers"));
        fits("/transfers/cancel", "post", ask(Part.BROKER, "POST", "/transfers/cancel?name=owed&dryRun=true"));
        fits("/transfers/drop", "post", ask(Part.BROKER, "POST", "/transfers/drop?key=" + key));
        await("the subscription is free").untilAsserted(() -> {
            HttpResponse<String> removed =
                    ask(Part.BROKER, "POST", "/subscriptions/remove?name=" + ProcessChain.SUBSCRIPTION);
            fits("/subscriptions/remove", "post", removed);
        });
    }
}
