package io.gpureclaimer.common.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonWriterTest {

  @Test
  void writesMembersInOrder_withoutWhiteSpace() {
    var json =
        JsonWriter.compact()
            .beginObject()
            .member("a", "x")
            .member("b", 1)
            .member("c", true)
            .member("d", List.of("y", "z"))
            .name("e")
            .nullValue()
            .name("f")
            .beginArray()
            .endArray()
            .endObject();

    assertThat(json)
        .hasToString(
            "{\"a\":\"x\",\"b\":1,\"c\":true,\"d\":[\"y\",\"z\"]," + "\"e\":null,\"f\":[]}");
  }

  @Test
  void putsEachMemberOnALine_whenIndented() {
    var json =
        JsonWriter.indented()
            .beginObject()
            .member("a", List.of("x", "y"))
            .name("b")
            .beginObject()
            .endObject()
            .endObject();

    assertThat(json)
        .hasToString(
            """
            {
              "a" : [
                "x",
                "y"
              ],
              "b" : { }
            }""");
  }

  @Test
  void escapesQuotesBackslashesAndControlCharacters() {
    var json = JsonWriter.compact().value("\"\\\n\t\r\b\f\u001f\u00e9");

    assertThat(json).hasToString("\"\\\"\\\\\\n\\t\\r\\b\\f\\u001F\u00e9\"");
  }

  @Test
  void writesNumbersInPlainNotation() {
    var json = JsonWriter.compact().beginArray().value(1e21).value(0.1).value(-5).endArray();

    assertThat(json).hasToString("[1000000000000000000000,0.1,-5]");
  }

  @Test
  void writesATreeOfMapsAndLists() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("list", Arrays.asList(1, 2L, 2.5, true, null, "x"));

    assertThat(JsonWriter.compact().tree(tree)).hasToString("{\"list\":[1,2,2.5,true,null,\"x\"]}");
  }

  @Test
  void refusesAValueWithoutAName_insideAnObject() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JsonWriter.compact().beginObject().value("x"));
  }

  @Test
  void refusesAnUnfinishedDocument() {
    assertThatIllegalStateException()
        .isThrownBy(() -> JsonWriter.compact().beginObject().toString());
  }
}
