package io.gpureclaimer.reclaimer.api;

import io.gpureclaimer.reclaimer.api.DataTable.TableColumn;
import io.gpureclaimer.reclaimer.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The description of the interface in OpenAPI 3.1, made from the tables that it serves. */
public final class OpenApi {
  private static final String ROOT = "/api/v1/";
  private static final String WORKLOAD = ROOT + "workloads/{namespace}/{kind}/{name}";
  private static final Map<String, Object> TEXT = Map.of("type", "string");

  private OpenApi() {}

  /** The document as JSON. */
  public static String document() {
    Map<String, Object> paths = new TreeMap<>();
    DataTables.ALL.forEach(table -> paths.put(ROOT + table.name(), Map.of("get", list(table))));
    paths.put(ROOT + "openapi.json", get("This document", object(Map.of())));
    paths.put(
        ROOT + "reclamations",
        get("Records of actions, with the command that restores each owner", object(Map.of())));
    paths.put(
        WORKLOAD,
        Map.of(
            "parameters",
            path("namespace", "kind", "name"),
            "get",
            operation(
                "Everything that is known of a workload, as the command explain has it",
                List.of(),
                Optional.empty(),
                object(Map.of()))));
    paths.put(
        WORKLOAD + "/keep",
        post(
            "Keep a workload for a while; needs patch on its top owner",
            path("namespace", "kind", "name"),
            Optional.of(
                object(Map.of("for", described(TEXT, "duration such as 4h, at most 7d"))))));
    paths.put(
        WORKLOAD + "/restore",
        post(
            "Restore a reclaimed workload; needs patch on its top owner",
            path("namespace", "kind", "name"),
            Optional.empty()));
    paths.put(
        ROOT + "reclamations/{namespace}/{name}/restore",
        post(
            "Restore the owner of a record, with the bearer token of the caller; needs patch on the"
                + " record",
            path("namespace", "name"),
            Optional.empty()));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put(
        "info",
        Map.of(
            "title", "gpu-reclaimer",
            "version", "v1",
            "description",
                "GPU workloads, the verdicts on them, and what follows. Names of fields do not change"
                    + " within v1; new ones may come."));
    document.put("paths", paths);
    document.put("components", components());
    document.put("security", List.of(Map.of(), Map.of("bearer", List.of())));
    return Json.indented(document);
  }

  private static Map<String, Object> list(DataTable<?> table) {
    Map<String, Object> columns = new TreeMap<>();
    table.columns().forEach(column -> columns.put(column.name(), schema(column)));
    Map<String, Object> rows = Map.of("type", "array", "items", object(columns));
    Map<String, Object> answer =
        object(
            Map.of(
                "schema",
                described(Map.of("type", "integer"), "version of the fields"),
                "at",
                described(time(), "when the cycle began whose results these are"),
                table.name(),
                rows));
    Map<String, Object> operation =
        new TreeMap<>(
            operation(
                table.summary(),
                table.filters().stream().map(OpenApi::filter).toList(),
                Optional.empty(),
                answer));
    operation.put("responses", responses(answer, true));
    return operation;
  }

  private static Map<String, Object> schema(TableColumn<?> column) {
    return described(
        switch (column.type()) {
          case TEXT -> TEXT;
          case FLAG -> Map.of("type", "boolean");
          case COUNT, SECONDS -> Map.of("type", "integer");
          case TIME -> time();
        },
        column.meaning());
  }

  private static Map<String, Object> time() {
    return Map.of("type", "string", "format", "date-time");
  }

  private static Map<String, Object> described(Map<String, Object> schema, String meaning) {
    Map<String, Object> described = new TreeMap<>(schema);
    described.put("description", meaning);
    return described;
  }

  private static Map<String, Object> object(Map<String, Object> properties) {
    return properties.isEmpty()
        ? Map.of("type", "object")
        : Map.of("type", "object", "properties", properties);
  }

  private static Map<String, Object> filter(String column) {
    return Map.of(
        "name", column, "in", "query", "description", "only rows with this value", "schema", TEXT);
  }

  private static List<Map<String, Object>> path(String... names) {
    return List.of(names).stream()
        .map(
            name ->
                Map.<String, Object>of(
                    "name", name, "in", "path", "required", true, "schema", TEXT))
        .toList();
  }

  private static Map<String, Object> get(String summary, Map<String, Object> answer) {
    return Map.of("get", operation(summary, List.of(), Optional.empty(), answer));
  }

  private static Map<String, Object> post(
      String summary, List<Map<String, Object>> path, Optional<Map<String, Object>> body) {
    return Map.of(
        "parameters",
        path,
        "post",
        operation(
            summary,
            List.of(),
            Optional.of(body.orElseGet(() -> object(Map.of()))),
            object(Map.of("message", described(TEXT, "what follows, in a sentence")))));
  }

  private static Map<String, Object> operation(
      String summary,
      List<Map<String, Object>> parameters,
      Optional<Map<String, Object>> body,
      Map<String, Object> answer) {
    Map<String, Object> operation = new TreeMap<>();
    operation.put("summary", summary);
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    body.ifPresent(
        schema -> operation.put("requestBody", Map.of("required", true, "content", json(schema))));
    operation.put("responses", responses(answer, false));
    return operation;
  }

  private static Map<String, Object> responses(Map<String, Object> answer, boolean hasCsv) {
    Map<String, Object> content = new TreeMap<>(json(answer));
    if (hasCsv) {
      content.put("text/csv", Map.of("schema", TEXT));
    }
    return Map.of(
        "2XX",
        Map.of("description", "as requested", "content", content),
        "default",
        Map.of("$ref", "#/components/responses/Problem"));
  }

  private static Map<String, Object> json(Map<String, Object> schema) {
    return Map.of("application/json", Map.of("schema", schema));
  }

  private static Map<String, Object> components() {
    Map<String, Object> problem =
        object(
            new TreeMap<>(
                Map.of(
                    "type", TEXT,
                    "title", described(TEXT, "phrase of the status"),
                    "status", Map.of("type", "integer"),
                    "detail",
                        described(TEXT, "what is wrong and what is possible, in sentences"))));
    return Map.of(
        "responses",
        Map.of(
            "Problem",
            Map.of(
                "description",
                "400 a parameter is not known; 401 no identity; 403 no right; 404 no such object, or"
                    + " no cycle has finished yet; 409 it is gone; 422 not possible; 502 the API"
                    + " server refused; 503 it does not respond",
                "content",
                Map.of(ProblemDetails.TYPE, Map.of("schema", problem)))),
        "securitySchemes",
        Map.of("bearer", Map.of("type", "http", "scheme", "bearer")));
  }
}
