package io.gpureclaimer.deviceplugin.cdi.spec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** A specification as the JSON that runtimes read; the same text for the same specification. */
public final class CdiJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator into;

  private CdiJson(JsonGenerator into) {
    this.into = into;
  }

  public static String of(CdiSpec spec) {
    var text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      var indenter = new DefaultIndenter("  ", "\n");
      generator.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
      new CdiJson(generator).write(spec);
    } catch (IOException e) {
      throw new UncheckedIOException("a string writer failed", e);
    }
    return text.append('\n').toString();
  }

  private void write(CdiSpec spec) throws IOException {
    into.writeStartObject();
    into.writeStringField("cdiVersion", spec.version().toString());
    into.writeStringField("kind", spec.kind().toString());
    into.writeArrayFieldStart("devices");
    for (CdiDevice device : spec.devices()) {
      into.writeStartObject();
      into.writeStringField("name", device.name());
      write(device.edits());
      into.writeEndObject();
    }
    into.writeEndArray();
    write(spec.common());
    into.writeEndObject();
  }

  private void write(ContainerEdits edits) throws IOException {
    if (edits.isEmpty()) {
      return;
    }
    into.writeObjectFieldStart("containerEdits");
    write("env", edits.env());
    array("deviceNodes", edits.nodes(), this::write);
    array("mounts", edits.mounts(), this::write);
    array("hooks", edits.hooks(), this::write);
    into.writeEndObject();
  }

  private void write(DeviceNode node) throws IOException {
    into.writeStringField("path", node.path());
    var hostPath = node.hostPath();
    if (hostPath != null) {
      into.writeStringField("hostPath", hostPath);
    }
    var number = node.number();
    if (number != null) {
      into.writeStringField("type", "c");
      into.writeNumberField("major", number.major());
      into.writeNumberField("minor", number.minor());
    }
  }

  private void write(BindMount mount) throws IOException {
    into.writeStringField("hostPath", mount.hostPath());
    into.writeStringField("containerPath", mount.containerPath());
    write("options", mount.options());
  }

  private void write(CdiHook hook) throws IOException {
    into.writeStringField("hookName", CdiHook.MOMENT);
    into.writeStringField("path", hook.path());
    write("args", hook.args());
    write("env", hook.env());
  }

  private void write(String name, List<String> texts) throws IOException {
    if (texts.isEmpty()) {
      return;
    }
    into.writeArrayFieldStart(name);
    for (String text : texts) {
      into.writeString(text);
    }
    into.writeEndArray();
  }

  private <T> void array(String name, List<T> elements, Fields<T> fields) throws IOException {
    if (elements.isEmpty()) {
      return;
    }
    into.writeArrayFieldStart(name);
    for (T element : elements) {
      into.writeStartObject();
      fields.write(element);
      into.writeEndObject();
    }
    into.writeEndArray();
  }

  /** Writes the fields of an object. */
  private interface Fields<T> {
    void write(T element) throws IOException;
  }
}
