package io.gpureclaimer.verification.gpupack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Stand-in for nvidia-smi over simulated GPUs: reports what the agent serves, some fields wrong.
 */
final class FakeSmi {
  private static final Pattern ADDRESS = Pattern.compile(" listens on (127\\S+)");
  private static final Map<String, String> LABELS =
      Map.of("uuid", "UUID", "pci.bus_id", "pci_bus_id", "name", "modelName");

  private FakeSmi() {}

  /** Arguments: log of the agent, the wrong fields or a dash, the query. */
  public static void main(String[] args) throws IOException, InterruptedException {
    var address = ADDRESS.matcher(Files.readString(Path.of(args[0])));
    if (!address.find()) {
      throw new IllegalStateException("expected an address in " + args[0]);
    }
    var request = HttpRequest.newBuilder(URI.create("http://" + address.group(1) + "/metrics"));
    try (HttpClient http = HttpClient.newHttpClient()) {
      String text = http.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
      Scrape scrape = Scrape.parse(text, Instant.EPOCH);
      String[] fields = args[2].substring(args[2].indexOf('=') + 1).split(",");
      for (String gpu : scrape.gpus()) {
        System.out.println(
            Arrays.stream(fields)
                .map(
                    field -> value(scrape, gpu, field, List.of(args[1].split(",")).contains(field)))
                .collect(Collectors.joining(", ")));
      }
    }
  }

  private static String value(Scrape scrape, String gpu, String field, boolean wrong) {
    String label = LABELS.get(field);
    if (label != null) {
      return wrong ? "wrong" : scrape.labels(gpu).getOrDefault(label, "[N/A]");
    }
    OptionalDouble value =
        ComparedField.NUMBERS.stream()
            .filter(compared -> compared.field().equals(field))
            .map(compared -> scrape.value(compared.metric(), gpu))
            .findFirst()
            .orElse(OptionalDouble.empty());
    return value.isEmpty() ? "[N/A]" : Double.toString(value.getAsDouble() + (wrong ? 1_000 : 0));
  }
}
