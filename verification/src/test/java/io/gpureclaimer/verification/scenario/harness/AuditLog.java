package io.gpureclaimer.verification.scenario.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/** What service accounts asked of the API server since some moment, as the server notes it. */
public final class AuditLog {
  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final int REFUSED = 400;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final long from;

  private AuditLog(Path file, long from) {
    this.file = file;
    this.from = from;
  }

  static AuditLog fromNowOn(Path file) {
    try {
      return new AuditLog(file, Files.size(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * One request and its answer.
   *
   * @param answeredAt by the clock of the API server
   * @param credential the token's identity
   * @param resource in the plural, with its subresource: {@code pods/eviction}
   * @param namespace empty for what belongs to none
   * @param code the HTTP status
   */
  public record AuditEntry(
      Instant answeredAt,
      String user,
      String credential,
      String verb,
      String resource,
      String namespace,
      String name,
      int code) {

    public boolean isWrite() {
      return !READING.contains(verb);
    }

    public boolean isAccepted() {
      return code < REFUSED;
    }

    /** As a rule of a Role has it: {@code create pods/eviction}. */
    public String deed() {
      return verb + " " + resource;
    }
  }

  /** Every request of the account, in the order of the answers. */
  public List<AuditEntry> of(String namespace, String account) {
    String user = "system:serviceaccount:" + namespace + ":" + account;
    return entries().stream().filter(entry -> entry.user().equals(user)).toList();
  }

  /** Every request of the replica, in the order of the answers. */
  public List<AuditEntry> of(Replica replica) {
    return entries().stream()
        .filter(entry -> entry.credential().equals(replica.credential()))
        .toList();
  }

  private List<AuditEntry> entries() {
    // A watch is noted when it begins and again when it ends.
    var byId = new LinkedHashMap<String, AuditEntry>();
    text()
        .lines()
        .map(AuditLog::json)
        .forEach(event -> byId.put(event.path("auditID").asText(), entry(event)));
    return List.copyOf(byId.values());
  }

  /** Whole lines only: the last one may be in the making. */
  private String text() {
    try (FileChannel channel = FileChannel.open(file)) {
      byte[] bytes = Channels.newInputStream(channel.position(from)).readAllBytes();
      String text = new String(bytes, StandardCharsets.UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AuditEntry entry(JsonNode event) {
    JsonNode thing = event.path("objectRef");
    String sub = thing.path("subresource").asText();
    return new AuditEntry(
        Instant.parse(event.path("stageTimestamp").asText()),
        event.path("user").path("username").asText(),
        event.at("/user/extra/authentication.kubernetes.io~1credential-id/0").asText(),
        event.path("verb").asText(),
        thing.path("resource").asText(event.path("requestURI").asText())
            + (sub.isEmpty() ? "" : "/" + sub),
        thing.path("namespace").asText(),
        thing.path("name").asText(),
        event.path("responseStatus").path("code").asInt());
  }
}
