package io.gpureclaimer.reclaimer.evidence.source;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import io.gpureclaimer.common.vocabulary.ActivitySign;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.evidence.prometheus.PrometheusConnection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Collectors;

/** Answers as a Prometheus would that has just scraped, or in whatever other way a test wants. */
final class FakePrometheus implements AutoCloseable {
  private static final Set<String> POD = Set.of("pod_uid", "exported_pod_uid");
  private static final Set<String> DEVICE =
      Set.of("UUID", "GPU_I_ID", "pod_uid", "exported_pod_uid");

  private final WireMockServer server = new WireMockServer(options().dynamicPort());

  FakePrometheus() {
    server.start();
  }

  WireMockServer server() {
    return server;
  }

  URI base() {
    return URI.create(server.baseUrl());
  }

  PrometheusConnection connection() {
    return PrometheusConnection.to(base(), Duration.ofSeconds(10));
  }

  void answers(ResponseDefinitionBuilder response) {
    server.resetAll();
    server.stubFor(any(anyUrl()).willReturn(response));
  }

  void answers(String json) {
    answers(aResponse().withHeader("Content-Type", "application/json").withBody(json));
  }

  /** Evaluates the two questions the source asks over these series. */
  void shows(List<ExposedSeries> shown, Instant at) {
    answers(vector(ofAll(shown), at));
    shown.stream()
        .filter(series -> series.labels().containsKey("pod_uid"))
        .map(series -> series.labels().get("pod_uid"))
        .distinct()
        .forEach(uid -> answersForPod(uid, shown, at));
  }

  private void answersForPod(String uid, List<ExposedSeries> shown, Instant at) {
    List<ExposedSeries> own =
        shown.stream().filter(one -> uid.equals(one.labels().get("pod_uid"))).toList();
    var answer = new ArrayList<>(ledger(own));
    own.forEach(
        one ->
            counted(one)
                .ifPresent(
                    percent -> {
                      var device = one.without("pod_uid").without("container");
                      var counted = new ExposedSeries("", device.labels(), percent);
                      merge(answer, kind(counted, "utilization"), Math::max);
                    }));
    String quoted = uid.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    server.stubFor(
        post(urlEqualTo("/api/v1/query"))
            .withFormParam("query", containing("{pod_uid=\"" + quoted + "\"}"))
            .willReturn(aResponse().withBody(vector(answer, at))));
  }

  /** What a series says of work, in percent; empty for one that is about something else. */
  private static OptionalDouble counted(ExposedSeries one) {
    return ActivitySign.ALL.stream()
        .filter(sign -> sign.metric().equals(one.name()))
        .mapToDouble(sign -> sign.countedPercent(one.value()))
        .findFirst();
  }

  /** As the question about all pods has it: of each device, or pod, one value of a kind. */
  private static List<ExposedSeries> ofAll(List<ExposedSeries> shown) {
    var answer = new ArrayList<ExposedSeries>();
    for (ExposedSeries one : shown) {
      if (counted(one).isPresent()) {
        continue;
      }
      switch (one.name()) {
        case ExposedSeries.BUSY -> merge(answer, kind(narrow(one, DEVICE), "busy"), Math::max);
        case ExposedSeries.LAST_ACTIVE ->
            merge(answer, kind(narrow(one, DEVICE), "active"), Math::max);
        case ExposedSeries.OBSERVED_SINCE ->
            merge(answer, kind(narrow(one, DEVICE), "since"), Math::max);
        case ExposedSeries.OBSERVED_UNTIL -> {
          merge(answer, kind(narrow(one, DEVICE), "until"), Math::min);
          merge(answer, kind(ofAgent(one), "sampled_at"), Math::min);
        }
        case ExposedSeries.DEVICE_COUNT -> merge(answer, kind(ofAgent(one), "count"), Math::max);
        default -> merge(answer, narrow(one, DEVICE), Math::max);
      }
    }
    answer.removeIf(one -> "busy".equals(one.labels().get("_kind")) && one.value() != 0);
    return answer;
  }

  /** A scrape adds the label of its target. */
  private static ExposedSeries ofAgent(ExposedSeries one) {
    return narrow(one, POD).with("instance", "node-1:9400");
  }

  private static void merge(
      List<ExposedSeries> answer, ExposedSeries one, DoubleBinaryOperator of) {
    for (int i = 0; i < answer.size(); i++) {
      ExposedSeries other = answer.get(i);
      if (other.name().equals(one.name()) && other.labels().equals(one.labels())) {
        answer.set(
            i,
            new ExposedSeries(
                one.name(), one.labels(), of.applyAsDouble(other.value(), one.value())));
        return;
      }
    }
    answer.add(one);
  }

  private static ExposedSeries narrow(ExposedSeries one, Set<String> labels) {
    Map<String, String> narrow = new TreeMap<>(one.labels());
    narrow.keySet().retainAll(labels);
    return new ExposedSeries(one.name(), narrow, one.value());
  }

  private static ExposedSeries kind(ExposedSeries one, String kind) {
    return new ExposedSeries("", one.with("_kind", kind).labels(), one.value());
  }

  private static List<ExposedSeries> ledger(List<ExposedSeries> shown) {
    var answer = new ArrayList<ExposedSeries>();
    for (ExposedSeries one : shown) {
      if (counted(one).isPresent()) {
        continue;
      }
      boolean worked = shown.stream().anyMatch(other -> isWorkOf(other, one));
      switch (one.name()) {
        case ExposedSeries.BUSY -> {
          if (one.value() == 0 && !worked) {
            answer.add(one.with("_kind", "busy"));
          }
        }
        default -> answer.add(one);
      }
      if (one.name().equals(ExposedSeries.OBSERVED_UNTIL)) {
        answer.add(new ExposedSeries("", one.with("_kind", "sampled_at").labels(), Double.NaN));
      }
    }
    return answer;
  }

  private static boolean isWorkOf(ExposedSeries series, ExposedSeries holder) {
    return series.name().equals(ExposedSeries.LAST_ACTIVE)
        && series.labels().equals(holder.labels());
  }

  static String vector(List<ExposedSeries> shown, Instant at) {
    return shown.stream()
        .map(one -> element(one, at))
        .collect(
            Collectors.joining(
                ",",
                "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[",
                "]}}"));
  }

  private static String element(ExposedSeries one, Instant at) {
    Map<String, String> labels = new TreeMap<>(one.labels());
    if (!one.name().isEmpty()) {
      labels.put("__name__", one.name());
    }
    boolean scraped = "sampled_at".equals(one.labels().get("_kind"));
    double seconds = at.toEpochMilli() / 1_000.0;
    return "{\"metric\":{"
        + labels.entrySet().stream()
            .map(label -> json(label.getKey()) + ":" + json(label.getValue()))
            .collect(Collectors.joining(","))
        + "},\"value\":["
        + new java.math.BigDecimal(seconds).setScale(3, java.math.RoundingMode.HALF_UP)
        + ",\""
        + (scraped ? Double.toString(seconds) : one.number())
        + "\"]}";
  }

  private static String json(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }

  @Override
  public void close() {
    server.stop();
  }
}
