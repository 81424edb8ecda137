# What the SARIF 2.1.0 schema demands of the objects that race writes: required properties, no unknown ones,
# types, enumerations and bounds.  Prints true, or ends with an error that names the object.

def fail($what): error("\($what): \(tojson[0:200])");
def need($c; $what): if $c then . else fail($what) end;
def object($what; $required; $optional):
  need(type == "object"; $what + " is no object")
  | need($required - keys == []; $what + " lacks a property")
  | need(keys - $required - $optional == []; $what + " has an unknown property");
def text($what): need(type == "string" and length > 0; $what + " is no text");
def message($what): object($what; ["text"]; ["markdown", "id", "arguments", "properties"]) | .text | text($what);
def each_of(f): if type == "array" then all(.[]; f | . != null) else fail("no array") end;
def unique_array($what): need(type == "array" and (unique | length) == length; $what + " has duplicates");

def region: object("region"; []; ["startLine", "startColumn", "endLine", "endColumn", "snippet"])
  | need(.startLine | type == "number" and . >= 1 and floor == .; "startLine");
def physical: object("physicalLocation"; ["artifactLocation"]; ["region", "contextRegion"])
  | (.artifactLocation | object("artifactLocation"; ["uri"]; ["uriBaseId", "index"])
     | .uri | need(test("^[A-Za-z0-9/_.~$%:-]+$") and (test("%(?![0-9A-F]{2})") | not); "uri"))
  , (.region // empty | region);
def location: object("location"; []; ["id", "physicalLocation", "logicalLocations", "message"])
  | need(.id == null or (.id | type == "number" and . >= -1); "location id")
  | (.message // empty | message("location message"))
  , (.physicalLocation // empty | physical)
  , (.logicalLocations[]? | object("logicalLocation"; []; ["name", "fullyQualifiedName", "kind", "decoratedName"]))
  , .;
def flow_step: object("threadFlowLocation"; []; ["location", "importance", "kinds", "executionOrder"])
  | need(.importance | IN("important", "essential", "unimportant"); "importance") | .location | location;
def thread_flow: object("threadFlow"; ["locations"]; ["id", "message", "properties"])
  | need(.locations | length >= 1; "threadFlow without locations") | .locations[] | flow_step;
def rule: object("rule"; ["id"]; ["name", "shortDescription", "fullDescription", "help", "helpUri",
                                   "defaultConfiguration", "properties"])
  | (.id | text("rule id")), (.shortDescription | message("shortDescription")), (.fullDescription | message("fullDescription")),
    (.help | message("help")), (.defaultConfiguration.level | need(IN("none", "note", "warning", "error"); "rule level"));
def result: object("result"; ["message"]; ["ruleId", "ruleIndex", "level", "kind", "locations", "relatedLocations",
    "codeFlows", "partialFingerprints", "fingerprints", "suppressions", "baselineState", "properties"])
  | need(.level | IN("none", "note", "warning", "error"); "level")
  | need(.ruleIndex | type == "number" and . >= 0; "ruleIndex")
  | need(.partialFingerprints | type == "object" and all(.[]; type == "string"); "partialFingerprints")
  | (.message | message("result message"))
  , (.locations[] | location)
  , (.relatedLocations | unique_array("relatedLocations") | .[] | location)
  , (.codeFlows[] | object("codeFlow"; ["threadFlows"]; ["message"]) | .threadFlows[] | thread_flow)
  , (.suppressions[]? | object("suppression"; ["kind"]; ["justification", "status", "location"])
     | .kind | need(IN("inSource", "external"); "suppression kind"));

object("log"; ["version", "runs"]; ["$schema", "properties"])
| need(.version == "2.1.0"; "version")
| [ .runs[]
    | object("run"; ["tool"]; ["results", "columnKind", "invocations", "originalUriBaseIds", "properties"])
    | need(.columnKind | IN("utf16CodeUnits", "unicodeCodePoints"); "columnKind")
    | (.tool | object("tool"; ["driver"]; ["extensions"]) | .driver
       | object("driver"; ["name"]; ["semanticVersion", "version", "organization", "informationUri", "rules"])
       | .rules | unique_array("rules") | .[] | rule)
    , (.invocations[] | object("invocation"; ["executionSuccessful"]; ["toolExecutionNotifications"])
       | .toolExecutionNotifications[]? | object("notification"; ["message"]; ["level"]) | .message | message("notification"))
    , (.results[] | result)
  ] | length > 0
